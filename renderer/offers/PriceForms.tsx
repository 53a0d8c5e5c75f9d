import { useState } from "react";
import { type BookPrice, type Discount, discountSchema, ownPriceSchema, type OwnPriceInput, payments, priceModes, termHours } from "../../shared/contract/offers.ts";
import { useTell } from "../ledger/useAsk.ts";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { decimalOf } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

const NONE = " none";

interface OwnPriceFormProps {
  /** One that holds, to state another for it; an own one, to change it; null: a new one. */
  readonly price: (OwnPriceInput & { readonly id: number }) | BookPrice | null;
  readonly own: readonly (OwnPriceInput & { readonly id: number })[];
  readonly onClose: () => void;
}

/** A price of one's own: it wins over every list, sheet and discount. */
export function OwnPriceForm({ price, own, onClose }: OwnPriceFormProps) {
  const { say } = useSpeech();
  const save = useTell("price.save");
  const remove = useTell("price.remove");
  const tell = useNotice((store) => store.tell);
  const id = price === null ? null : "origin" in price ? (price.origin === "own" ? price.id : null) : price.id;
  const before = own.find((each) => each.id === id) ?? null;
  const [fields, setFields] = useState(() => ({
    provider: price?.provider ?? "", instanceType: price?.instanceType ?? "", region: price?.region ?? "*", mode: price?.mode ?? ("on-demand"), payment: price?.payment ?? NONE, currency: price?.currency ?? "USD",
    pricePerHour: before?.pricePerHour ?? "", upfront: before?.upfront ?? "0", acceleratorId: price?.acceleratorId ?? "", acceleratorCount: price === null || price.acceleratorCount === null ? "" : String(price.acceleratorCount), priceDate: before?.priceDate ?? "", note: before?.note ?? "",
  }));
  const [isTried, setTried] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((earlier) => ({ ...earlier, ...change }));
  const isCommitted = termHours[fields.mode] !== null;
  const checked = ownPriceSchema.safeParse({
    id, provider: fields.provider, instanceType: fields.instanceType, region: fields.region, mode: fields.mode, payment: isCommitted ? (payments.find((each) => each === fields.payment) ?? null) : null, currency: fields.currency.trim().toUpperCase(),
    pricePerHour: decimalOf(fields.pricePerHour) ?? "", upfront: isCommitted ? (decimalOf(fields.upfront) ?? "") : "0", acceleratorId: fields.acceleratorId === "" ? null : fields.acceleratorId, acceleratorCount: fields.acceleratorCount === "" ? null : Number(fields.acceleratorCount),
    priceDate: fields.priceDate.trim(), note: fields.note.trim() === "" ? null : fields.note,
  });
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!checked.success) return;
    const done = await save.tell({ price: checked.data, by: null });
    if (!done.ok) return;
    tell({ text: say("prices.saved") });
    onClose();
  };
  const throwAway = async (): Promise<void> => {
    if (id === null) return;
    const done = await remove.tell({ id, by: null });
    if (!done.ok) return;
    tell({ text: say("prices.removed") });
    onClose();
  };
  return (
    <FormDialog
      title={say("prices.form.new-price")}
      onClose={onClose}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried && !checked.success ? say("prices.form.wrong-price") : null}
      error={save.error ?? remove.error}
      aside={before === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say("field.remove")}</button>}
    >
      <div className="form-grid">
        <TextLine label={say("prices.form.provider")} value={fields.provider} onChange={(provider) => put({ provider })} isFirst={price === null} />
        <TextLine label={say("prices.form.machine")} value={fields.instanceType} onChange={(instanceType) => put({ instanceType })} />
        <TextLine label={say("prices.form.region")} value={fields.region} onChange={(region) => put({ region })} />
        <Choice label={say("prices.form.mode")} value={fields.mode} choices={priceModes.map((mode) => ({ id: mode, text: say(`prices.mode.${mode}`) }))} onChoose={(mode) => put({ mode })} />
        <TextLine label={say("prices.form.price")} value={fields.pricePerHour} onChange={(pricePerHour) => put({ pricePerHour })} isInvalid={isTried && decimalOf(fields.pricePerHour) === null} isFirst={price !== null} />
        <TextLine label={say("prices.form.currency")} value={fields.currency} onChange={(currency) => put({ currency })} />
        {isCommitted && <TextLine label={say("prices.form.upfront")} value={fields.upfront} onChange={(upfront) => put({ upfront })} />}
        {isCommitted && <Choice label={say("prices.form.payment")} value={fields.payment} choices={[{ id: NONE, text: say("prices.form.payment.no") }, ...payments.map((payment) => ({ id: payment, text: say(`prices.payment.${payment}`) }))]} onChoose={(payment) => put({ payment })} />}
        <TextLine label={say("prices.form.date")} value={fields.priceDate} onChange={(priceDate) => put({ priceDate })} hint="2026-09-30" />
        <TextLine label={say("prices.form.note")} value={fields.note} onChange={(note) => put({ note })} />
        <TextLine label={say("prices.form.accelerator")} value={fields.acceleratorId} onChange={(acceleratorId) => put({ acceleratorId })} hint="nvidia-h100-sxm5-80gb" />
        <TextLine label={say("prices.form.count")} value={fields.acceleratorCount} onChange={(acceleratorCount) => put({ acceleratorCount })} />
      </div>
    </FormDialog>
  );
}

/** A discount off what lists and sheets state, for as long as it holds. */
export function DiscountForm({ discount, onClose }: { readonly discount: Discount | null; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const save = useTell("discount.save");
  const remove = useTell("discount.remove");
  const tell = useNotice((store) => store.tell);
  const [fields, setFields] = useState(() => ({ name: discount?.name ?? "", provider: discount?.provider ?? "", instanceType: discount?.instanceType ?? "", region: discount?.region ?? "", mode: discount?.mode ?? NONE, percent: discount?.percent ?? "", fromDay: discount?.fromDay ?? "", untilDay: discount?.untilDay ?? "", note: discount?.note ?? "" }));
  const [isTried, setTried] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((earlier) => ({ ...earlier, ...change }));
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const checked = discountSchema.safeParse({
    id: discount?.id ?? null, name: fields.name, provider: fields.provider, instanceType: orNull(fields.instanceType), region: orNull(fields.region), mode: priceModes.find((each) => each === fields.mode) ?? null,
    percent: fields.percent.trim().replace(/\s?%$/, ""), fromDay: fields.fromDay.trim(), untilDay: orNull(fields.untilDay), note: orNull(fields.note),
  });
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!checked.success) return;
    const done = await save.tell({ discount: checked.data, by: null });
    if (!done.ok) return;
    tell({ text: say("prices.discount-saved") });
    onClose();
  };
  const throwAway = async (): Promise<void> => {
    if (discount === null) return;
    const done = await remove.tell({ id: discount.id, by: null });
    if (!done.ok) return;
    tell({ text: say("prices.removed") });
    onClose();
  };
  return (
    <FormDialog
      title={say("prices.form.new-discount")}
      onClose={onClose}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried && !checked.success ? say("prices.form.wrong-discount") : null}
      error={save.error ?? remove.error}
      aside={discount === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say("field.remove")}</button>}
    >
      <div className="form-grid">
        <TextLine label={say("prices.form.name")} value={fields.name} onChange={(name) => put({ name })} isFirst />
        <TextLine label={say("prices.form.provider")} value={fields.provider} onChange={(provider) => put({ provider })} />
        <TextLine label={say("prices.form.percent")} value={fields.percent} onChange={(percent) => put({ percent })} />
        <Choice label={say("prices.form.mode")} value={fields.mode} choices={[{ id: NONE, text: say("prices.form.mode.any") }, ...priceModes.map((mode) => ({ id: mode, text: say(`prices.mode.${mode}`) }))]} onChoose={(mode) => put({ mode })} />
        <TextLine label={say("prices.form.machine.begin")} value={fields.instanceType} onChange={(instanceType) => put({ instanceType })} />
        <TextLine label={say("prices.form.region.empty")} value={fields.region} onChange={(region) => put({ region })} />
        <TextLine label={say("prices.form.from")} value={fields.fromDay} onChange={(fromDay) => put({ fromDay })} hint="2026-01-01" />
        <TextLine label={say("prices.form.until")} value={fields.untilDay} onChange={(untilDay) => put({ untilDay })} hint="2026-12-31" />
        <TextLine label={say("prices.form.note")} value={fields.note} onChange={(note) => put({ note })} />
      </div>
    </FormDialog>
  );
}
