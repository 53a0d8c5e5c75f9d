import { useState } from "react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import type { CarbonSettings } from "../../shared/contract/carbon.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** Whose hardware is the company's own, what a tonne costs inside it, and which grid factors are taken. */
export function CarbonSettingsForm({ period, onClose }: { readonly period: string; readonly onClose: () => void }) {
  const asked = useAsk("carbon.read", { period, scope: {} });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const providers = [...new Set([...asked.value.groups.provider.flatMap(({ key }) => key ?? []), ...asked.value.settings.ownedProviders])].sort();
  return <Fields key={asked.value.settings.gridChoice} settings={asked.value.settings} providers={providers} onClose={onClose} />;
}

function Fields({ settings, providers, onClose }: { readonly settings: CarbonSettings; readonly providers: readonly string[]; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const [owned, setOwned] = useState<readonly string[]>(settings.ownedProviders);
  const [price, setPrice] = useState(settings.pricePerTonne ?? "");
  const [currency, setCurrency] = useState(settings.priceCurrency ?? "");
  const [gridChoice, setGridChoice] = useState(settings.gridChoice);
  const [isTried, setTried] = useState(false);
  const save = useTell("carbon-settings.save");
  const tell = useNotice((store) => store.tell);
  const hasPrice = price.trim() !== "";
  const isPriceWrong = hasPrice && !/^\d{1,9}(\.\d{1,6})?$/.test(price.trim());
  const isCurrencyWrong = hasPrice && currency.trim() === "";
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isPriceWrong || isCurrencyWrong) return;
    const done = await save.tell({ settings: { ownedProviders: [...owned], pricePerTonne: hasPrice ? price.trim() : null, priceCurrency: hasPrice ? currency.trim() : null, gridChoice }, by: null });
    if (!done.ok) return;
    tell({ text: say("carbon-page.settings.saved") });
    onClose();
  };
  return (
    <FormDialog title={say("carbon-page.settings")} onClose={onClose} onSave={() => void submit()} isBusy={save.isBusy} error={save.error} wrong={isTried && (isPriceWrong || isCurrencyWrong) ? say("carbon-page.settings.wrong") : null}>
      <CheckboxGroup className="form-field" value={[...owned]} onChange={setOwned}>
        <Label>{say("carbon-page.settings.owned")}</Label>
        {providers.map((provider) => <Checkbox key={provider} value={provider} className="check"><i aria-hidden="true" /><span>{provider}</span></Checkbox>)}
      </CheckboxGroup>
      <div className="form-grid">
        <TextLine label={say("carbon-page.settings.price")} value={price} onChange={setPrice} isInvalid={isTried && isPriceWrong} hint="100" />
        <TextLine label={say("carbon-page.settings.currency")} value={currency} onChange={setCurrency} isInvalid={isTried && isCurrencyWrong} hint="EUR" />
      </div>
      <Choice label={say("carbon-page.settings.grid")} value={gridChoice} choices={(["nearest", "life-cycle"] as const).map((id) => ({ id, text: say(`carbon-page.settings.grid.${id}`) }))} onChoose={setGridChoice} />
    </FormDialog>
  );
}
