import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from "react-aria-components";
import { usePreferences } from "../state/preferences.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { useSavePreference } from "./useSavePreference.ts";

interface ChoiceProps<K extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: K;
  readonly choices: readonly { readonly id: K; readonly text: string }[];
  readonly onChoose: (value: K) => void;
}

export function Choice<K extends string>({ label, isLabelHidden = false, value, choices, onChoose }: ChoiceProps<K>) {
  return (
    <Select className="field" value={value} onChange={(key) => key !== null && onChoose(String(key) as K)} {...(isLabelHidden ? { "aria-label": label } : {})}>
      {!isLabelHidden && <Label>{label}</Label>}
      <Button className="select-button"><SelectValue /></Button>
      <Popover className="popover" placement="bottom end">
        <ListBox>
          {choices.map(({ id, text }) => (
            <ListBoxItem key={id} id={id} className="option">{text}</ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

export function LanguageSelect({ isLabelled = false }: { readonly isLabelled?: boolean }) {
  const { say } = useSpeech();
  const language = usePreferences((preferences) => preferences.language);
  const save = useSavePreference();
  return <Choice label={say("settings.language")} isLabelHidden={!isLabelled} value={language} choices={(["system", "en", "zh-CN"] as const).map((id) => ({ id, text: say(`language.${id}`) }))} onChoose={(chosen) => save({ language: chosen })} />;
}

export function ThemeSelect() {
  const { say } = useSpeech();
  const theme = usePreferences((preferences) => preferences.theme);
  const save = useSavePreference();
  return <Choice label={say("settings.theme")} isLabelHidden value={theme} choices={(["system", "light", "dark"] as const).map((id) => ({ id, text: say(`theme.${id}`) }))} onChoose={(chosen) => save({ theme: chosen })} />;
}

export function AlertsSelect() {
  const { say } = useSpeech();
  const alerts = usePreferences((preferences) => preferences.alerts);
  const save = useSavePreference();
  return <Choice label={say("settings.alerts")} isLabelHidden value={alerts} choices={(["on", "off"] as const).map((id) => ({ id, text: say(`settings.alerts.${id}`) }))} onChoose={(chosen) => save({ alerts: chosen })} />;
}

export function NegativeSelect() {
  const { say, words } = useSpeech();
  const negative = usePreferences((preferences) => preferences.negative);
  const save = useSavePreference();
  const example = words.money(1_234_560_000_000_000_000_000n, "USD", { bare: true });
  const choices = [{ id: "minus", text: `\u2212${example}` }, { id: "parentheses", text: `(${example})` }] as const;
  return <Choice label={say("settings.negative")} isLabelHidden value={negative} choices={choices} onChoose={(chosen) => save({ negative: chosen })} />;
}
