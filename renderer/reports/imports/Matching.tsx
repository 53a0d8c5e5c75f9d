import { useState } from "react";
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import type { MatchList } from "../../../shared/contract/methods.ts";
import { useAsk, useTell } from "../../ledger/useAsk.ts";
import { Act } from "../../parts/Act.tsx";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { useNotice } from "../../state/notice.ts";
import { sayCode } from "../../words/code.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { attosOf } from "./amounts.ts";

const firstShown = 8;

/** Which host of the logs is which resource of the bills. What does not match is shown with its money; the person joins it once. */
export function Matching({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words } = useSpeech();
  const asked = useAsk("match.list", {});
  const [isAll, setAll] = useState(false);
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const { hosts, unmatchedResources } = asked.value;
  if (hosts.length === 0 && unmatchedResources.length === 0) return null;
  const open = hosts.filter(({ resource }) => resource === null);
  const known = hosts.filter(({ resource }) => resource !== null);
  const shown = isAll ? [...open, ...known] : [...open, ...known].slice(0, Math.max(firstShown, open.length > 40 ? 40 : open.length));
  return (
    <>
      <section>
        <SectionHead title={say("match.title")} note={open.length === 0 ? say("match.all") : say("match.open", { count: open.length })}>
          {hosts.length > shown.length || isAll ? <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: hosts.length })}</button> : null}
        </SectionHead>
        <table className="statement" aria-label={say("match.title")}>
          <thead><tr><th scope="col">{say("match.host")}</th><th scope="col">GPU</th><th scope="col">{say("match.seen")}</th><th scope="col">{say("match.resource")}</th><th scope="col">{say("match.rule")}</th></tr></thead>
          <tbody>
            {shown.map((host) => (
              <tr key={host.host}>
                <th scope="row" className="mono">{host.host}</th>
                <td>{say("match.devices", { devices: host.devices, model: host.gpuModel ?? "GPU" })}</td>
                <td>{say("match.between", { from: words.instant(host.firstAt, "day"), to: words.instant(host.lastAt, "day") })}</td>
                <td className="mono" title={host.resource ?? undefined}>{host.resource !== null ? resourceTail(host.resource) : (isReadOnly ? <span className="muted">{say("match.none")}</span> : <MatchField host={host} resources={unmatchedResources} />)}</td>
                <td className="small">{host.rule === null ? <span className="muted">{say("match.none")}</span> : sayCode(say, "imports.match-rule", host.rule)}{host.rule === "user-map" && !isReadOnly && <> <Unmatch host={host.host} /></>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {unmatchedResources.length > 0 && (
        <section>
          <SectionHead title={say("match.resources")} note={say("match.resources.note")} />
          <table className="statement" aria-label={say("match.resources")}>
            <thead><tr><th scope="col">{say("match.resource")}</th><th scope="col">{say("scope.provider")}</th><th scope="col">GPU</th><th scope="col" className="n">{say("match.gpu-hours")}</th><th scope="col" className="n">{say("batch-list.effective")}</th></tr></thead>
            <tbody>
              {unmatchedResources.slice(0, isAll ? undefined : firstShown).map((entry) => {
                const attos = attosOf(entry.effectiveCost);
                return <tr key={`${entry.resource} ${entry.currency}`}><th scope="row" className="mono" title={entry.resource}>{resourceTail(entry.resource)}</th><td>{entry.provider}</td><td>{entry.gpuModel}</td><td className="n">{words.number(entry.gpuHours, { digits: 1 })}</td><td className="n">{attos === null ? "—" : words.money(attos, entry.currency)}</td></tr>;
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** The end of a long resource name, which tells it from others; the whole stands in its title. */
function resourceTail(resource: string): string {
  return resource.length <= 36 ? resource : `…${resource.slice(-35)}`;
}

function MatchField({ host, resources }: { readonly host: MatchList["hosts"][number]; readonly resources: MatchList["unmatchedResources"] }) {
  const { say, error } = useSpeech();
  const save = useTell("match.save");
  const tell = useNotice((store) => store.tell);
  const proposed = host.proposals.map(({ resource, reason }) => ({ id: resource, note: sayCode(say, "imports.match-reason", reason) }));
  const others = resources.filter(({ resource }) => !proposed.some(({ id }) => id === resource)).map(({ resource, gpuModel }) => ({ id: resource, note: gpuModel ?? "" }));
  const choose = async (resource: string): Promise<void> => {
    const result = await save.tell({ host: host.host, resource, validFrom: null, validTo: null });
    tell(result.ok ? { text: say("match.saved", { host: host.host, resource }) } : { text: error(result.error).what, detail: error(result.error).todo });
  };
  return (
    <ComboBox className="field" aria-label={say("match.field", { host: host.host })} menuTrigger="focus" allowsCustomValue isDisabled={save.isBusy} defaultItems={[...proposed, ...others]} onChange={(key) => key !== null && void choose(String(key))}>
      <Input className="text-input" placeholder={say("match.choose")} />
      <Button className="select-button" aria-label={say("match.choose")} />
      <Popover className="popover" placement="bottom start">
        <ListBox>{(item: { readonly id: string; readonly note: string }) => <ListBoxItem className="option mono" textValue={item.id}>{item.id}<em>{item.note}</em></ListBoxItem>}</ListBox>
      </Popover>
    </ComboBox>
  );
}

function Unmatch({ host }: { readonly host: string }) {
  const { say } = useSpeech();
  const save = useTell("match.save");
  return <Act isBusy={save.isBusy} onPress={() => void save.tell({ host, resource: null, validFrom: null, validTo: null })}>{say("match.undo")}</Act>;
}
