import { Autocomplete, Dialog, Header, Heading, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField, useFilter } from "react-aria-components";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { calculatorIds } from "../../shared/contract/calculators.ts";
import { costBases } from "../../shared/domain/figure.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { useFiles } from "../ledger/useFiles.ts";
import { useCalculators } from "../state/calculators.ts";
import { useOffers } from "../state/offers.ts";
import { usePulls } from "../state/pulls.ts";
import { usePreferences } from "../state/preferences.ts";
import { screens, useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { periodChoices } from "./periods.ts";

interface Command {
  readonly id: string;
  readonly text: string;
  readonly note?: string;
  readonly run: () => void;
}

/** Everything that can be gone to or switched, found by typing a part of its name. */
export function Palette({ status, onClose }: { readonly status: LedgerStatus; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const { contains } = useFilter({ sensitivity: "base" });
  const groups = useCommands(status);
  const commands = groups.flatMap(({ commands: list }) => list);
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="palette">
        <Dialog>
          <Heading slot="title" level={2} className="for-readers">{say("find.label")}</Heading>
          <Autocomplete filter={contains}>
            <SearchField autoFocus aria-label={say("find.label")} className="palette-field"><Input placeholder={say("find.label")} /></SearchField>
            <div className="palette-list" role="group" aria-label={say("find.commands")} tabIndex={0}>
            <Menu
              aria-label={say("find.commands")}
              renderEmptyState={() => <p className="palette-none">{say("find.none")}</p>}
              onAction={(key) => {
                onClose();
                commands.find(({ id }) => id === key)?.run();
              }}
            >
              {groups.map((group) => (
                <MenuSection key={group.name}>
                  <Header className="option-group">{group.name}</Header>
                  {group.commands.map(({ id, text, note }) => (
                    <MenuItem key={id} id={id} className="option" textValue={note === undefined ? text : `${text} ${note}`}>{text}{note !== undefined && <em>{note}</em>}</MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useCommands(status: LedgerStatus): readonly { readonly name: string; readonly commands: readonly Command[] }[] {
  const { say, words } = useSpeech();
  const look = useView((view) => view.look);
  const prefer = usePreferences((preferences) => preferences.prefer);
  const openPull = usePulls((store) => store.open);
  const files = useFiles();
  const calculate = useCalculators((store) => store.choose);
  const showOffers = useOffers((store) => store.show);
  const scope = useAsk("scope.values", {});
  const { months, quarters, years } = periodChoices(status.months);
  const values = scope.state === "answered" ? scope.value : null;
  const named = (list: readonly (string | null)[] | undefined): readonly string[] => (list ?? []).filter((value) => value !== null);
  return [
    { name: say("find.screens"), commands: screens.map((screen) => ({ id: `screen/${screen}`, text: say(`screen.${screen}`), run: () => look({ screen }) })) },
    {
      name: say("find.actions"),
      commands: [
        { id: "choose", text: say("import.choose"), run: () => { look({ screen: "imports" }); void files.choose("import"); } },
        { id: "choose-folder", text: say("import.choose-folder"), run: () => { look({ screen: "imports" }); void files.choose("folder"); } },
        ...(status.isReadOnly ? [] : [{ id: "pull", text: say("connect.title"), run: () => { look({ screen: "imports" }); openPull(); } }]),
        { id: "everything", text: say("scope.everything"), run: () => look({ scope: {} }) },
      ],
    },
    { name: say("calc.title"), commands: calculatorIds.map((id) => ({ id: `calculator/${id}`, text: say(`calc.name.${id}`), note: say("calc.title"), run: () => { calculate(id); showOffers("calculators"); look({ screen: "offers" }); } })) },
    { name: say("pick.period"), commands: [...months, ...quarters, ...years].map((label) => ({ id: `period/${label}`, text: words.period(label), note: label, run: () => look({ period: label }) })) },
    { name: say("scope.team"), commands: named(values?.team).map((team) => ({ id: `team/${team}`, text: team, note: say("scope.team"), run: () => look({ scope: { team: [team] } }) })) },
    { name: say("scope.provider"), commands: named(values?.provider).map((provider) => ({ id: `provider/${provider}`, text: provider, note: say("scope.provider"), run: () => look({ scope: { provider: [provider] } }) })) },
    { name: say("pick.basis"), commands: costBases.map((basis) => ({ id: `basis/${basis}`, text: say(`pick.basis.${basis}`), note: say(`pick.basis.${basis}.note`), run: () => look({ basis }) })) },
    {
      name: say("screen.settings"),
      commands: [
        ...(["system", "en", "zh-CN"] as const).map((language) => ({ id: `language/${language}`, text: say(`language.${language}`), note: say("settings.language"), run: () => prefer({ language }) })),
        ...(["system", "light", "dark"] as const).map((theme) => ({ id: `theme/${theme}`, text: say(`theme.${theme}`), note: say("settings.theme"), run: () => prefer({ theme }) })),
      ],
    },
  ].filter(({ commands }) => commands.length > 0);
}
