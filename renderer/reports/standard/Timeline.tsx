import { useMemo, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { HostTimeline } from "../../../shared/contract/findings.ts";
import { dash } from "../../../shared/contract/words.ts";
import { Chart } from "../../charts/Chart.tsx";
import { heatOption, heatRowHeight } from "../../charts/heat.ts";
import { chartTokens } from "../../charts/tokens.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { useTheme } from "../../parts/media.ts";
import { Refused } from "../../parts/states.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";

const hourMs = 3_600_000;
const hours = 6;

/** A machine's devices minute by minute, six hours at a time: the fleet map looked at closely. `at` is an instant within them. */
export function Timeline({ host, at, onClose }: { readonly host: string; readonly at: number; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const [start, setStart] = useState(() => Math.floor(at / hourMs) * hourMs - 4 * hourMs);
  const asked = useAsk("timeline.read", { host, from: new Date(start).toISOString().replace(".000Z", "Z"), hours });
  const value = asked.state === "answered" ? asked.value : null;
  const [first, last] = [value?.firstAt ?? null, value?.lastAt ?? null];
  const isFirst = first === null || start <= Date.parse(first);
  const isLast = last === null || start + hours * hourMs >= Date.parse(last);
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="form-dialog timeline-dialog">
        <Dialog>
          <div className="timeline-body" aria-busy={asked.state === "asking" || (asked.state === "answered" && asked.isOld)}>
            <header>
              <Heading slot="title" level={2}>{say("timeline.title", { host })}</Heading>
              <span className="small muted">{say("timeline.note", { from: words.instant(new Date(start).toISOString(), "minute"), until: words.instant(new Date(start + hours * hourMs).toISOString(), "minute") })}</span>
              <span className="pager">
                <button type="button" aria-label={say("timeline.earlier")} disabled={isFirst} onClick={() => setStart(start - hours * hourMs)}>‹</button>
                <button type="button" aria-label={say("timeline.later")} disabled={isLast} onClick={() => setStart(start + hours * hourMs)}>›</button>
              </span>
              <button type="button" className="link" onClick={onClose}>{say("action.close")}</button>
            </header>
            {asked.state === "refused" && <Refused error={asked.error} />}
            {value !== null && (value.devices.length === 0 ? <p className="note">{say("timeline.none")}</p> : <Minutes timeline={value} />)}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Minutes({ timeline }: { readonly timeline: HostTimeline }) {
  const { say, words } = useSpeech();
  const tokens = chartTokens[useTheme()];
  const { devices, minutes } = timeline;
  const option = useMemo(
    () => heatOption(devices.map(({ states }, index) => ({ y: index * heatRowHeight, states })), { from: 0, to: minutes, startHour: 0, tokens, every: 60 }),
    [devices, minutes, tokens],
  );
  const start = Date.parse(timeline.start);
  const count = (states: readonly number[], test: (state: number) => boolean): number => states.filter(test).length;
  return (
    <div role="table" className="timeline" aria-label={say("timeline.title", { host: timeline.host })}>
      <div role="row" className="timeline-row head">
        <span role="columnheader">{say("timeline.device")}</span>
        <span role="columnheader" className="timeline-hours">
          {Array.from({ length: minutes / 60 }, (_, hour) => <span key={hour} style={{ left: `${((hour * 60 * 100) / minutes).toFixed(3)}%` }}>{new Date(start + hour * hourMs).toISOString().slice(11, 16)}</span>)}
        </span>
        <span role="columnheader" className="n">{say("timeline.mean")}</span>
        <span role="columnheader" className="n">{say("timeline.memory")}</span>
        <span role="columnheader" className="n">{say("timeline.power")}</span>
      </div>
      <div className="timeline-rows" role="rowgroup" style={{ height: devices.length * heatRowHeight }}>
        <div className="timeline-plot" role="presentation"><Chart option={option} height={devices.length * heatRowHeight} summary={null} renderer={devices.length > 16 ? "canvas" : "svg"} /></div>
        {devices.map(({ id, label, gpuModel, states, utilization, memoryPeak, powerMeanWatts }) => (
          <div key={id} role="row" className="timeline-row">
            <span role="rowheader" title={gpuModel ?? undefined}>{label}</span>
            <span role="cell"><span className="for-readers">{say("timeline.states", { active: count(states, (state) => state >= 0), held: count(states, (state) => state === -3), dead: count(states, (state) => state === -4), unknown: count(states, (state) => state === -2 || state === -5) })}</span></span>
            <span role="cell" className="n">{utilization === null ? dash : words.ratio(utilization)}</span>
            <span role="cell" className="n">{memoryPeak === null ? dash : words.ratio(memoryPeak)}</span>
            <span role="cell" className="n">{powerMeanWatts === null ? dash : say("timeline.watts", { watts: words.number(powerMeanWatts, { digits: 0 }) })}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
