import type { ImportPreview, PreviewFile } from "../../../shared/contract/methods.ts";
import { dash } from "../../../shared/i18n/format.ts";
import { Act } from "../../parts/Act.tsx";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { sayCode } from "../../words/code.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import type { ChangeLine } from "./amounts.ts";
import { changeOf, changesOf, totalOf, totalsOf } from "./amounts.ts";
import { formatName } from "./FilesTable.tsx";
import { isMapped, MapColumns } from "./MapColumns.tsx";
import { useCover } from "./useDeskPreview.ts";

/** What posting one file would change, how it ties to the file, why its format was chosen, and what cannot be taken. */
export function FilePreview({ preview, file }: { readonly preview: ImportPreview; readonly file: PreviewFile }) {
  const { say } = useSpeech();
  const changes = changesOf(file);
  return (
    <>
      <div className="preview">
        {file.kind === "commitments" ? <CommitmentFacts file={file} /> : file.kind === "telemetry" ? <TelemetryFacts file={file} /> : (
          <>
            <div>{[...changes].map(([currency, lines]) => <Changes key={currency} file={file} currency={currency} lines={lines} />)}{file.deliveries.length > 0 && <Deliveries file={file} />}{changes.size === 0 && <><SectionHead title={say("import.changes")} note={file.path} /><p className="context">{say("import.changes.none")}</p></>}</div>
            <div>{Object.keys(file.totals).map((currency) => <FileTotals key={currency} file={file} currency={currency} />)}</div>
          </>
        )}
        <Reasons preview={preview} file={file} />
      </div>
      {file.rowsSetAside > 0 && <div className="set-aside"><SetAside file={file} /></div>}
    </>
  );
}

function Changes({ file, currency, lines }: { readonly file: PreviewFile; readonly currency: string; readonly lines: readonly ChangeLine[] }) {
  const { say, words } = useSpeech();
  const total = totalOf(lines);
  const amount = (attos: bigint | null, signed = false) => (attos === null ? <span className="unknown">{dash}</span> : words.money(attos, currency, { bare: true, signed }));
  return (
    <section>
      <SectionHead title={say("import.changes")} note={say("import.changes.note", { file: file.path, currency })} />
      <table className="statement" aria-label={say("import.changes")}>
        <thead><tr><td /><th scope="col" className="n">{say("import.rows")}</th><th scope="col" className="n">{say("import.was")}</th><th scope="col" className="n">{say("import.becomes")}</th><th scope="col" className="n">{say("import.change")}</th></tr></thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.kind}>
              <th scope="row"><i className={`change-mark ${line.kind}`} aria-hidden="true" />{say(`change.${line.kind}`)}</th>
              <td className="n">{words.count(line.rows)}</td>
              <td className="n">{amount(line.was)}</td>
              <td className="n">{amount(line.becomes)}</td>
              <td className="n">{amount(changeOf(line), true)}</td>
            </tr>
          ))}
          <tr className="total">
            <th scope="row">{say("import.ledger-after")}</th>
            <td className="n">{words.count(total.rows)}</td>
            <td className="n">{amount(total.was)}</td>
            <td className="n">{amount(total.becomes)}</td>
            <td className="n">{amount(total.change, true)}</td>
          </tr>
          {file.rowsSetAside > 0 && <tr className="after"><th scope="row"><i className="change-mark aside" aria-hidden="true" />{say("change.aside")}</th><td className="n">{words.count(file.rowsSetAside)}</td><td /><td /><td className="n muted">{say("change.aside.note")}</td></tr>}
        </tbody>
      </table>
    </section>
  );
}

const costs = ["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"] as const;

/** Exact totals of the file's rows, and what rules of ours add beside them. */
function FileTotals({ file, currency }: { readonly file: PreviewFile; readonly currency: string }) {
  const { say, words } = useSpeech();
  const stated = file.totals[currency];
  if (stated === undefined) return null;
  const totals = totalsOf(stated);
  const corrections = file.corrections[currency];
  const added = corrections === undefined ? null : totalsOf(corrections);
  const hasAdded = added !== null && costs.some((cost) => added[cost] !== null && added[cost] !== 0n);
  // To the last digit, as the file has it.
  const amount = (attos: bigint | null, text: string | null | undefined, signed = false) => (attos === null ? <span className="unknown" title={say("import.not-stated")}>{dash}</span> : words.money(attos, currency, { bare: true, signed, digits: Math.max(2, text?.split(".")[1]?.length ?? 0) }));
  return (
    <section>
      <SectionHead title={say("import.totals")} note={say("import.totals.note", { count: file.rowsRead - file.rowsSetAside, currency })} />
      <table className="statement" aria-label={say("import.totals")}>
        <thead><tr><td /><th scope="col" className="n">{say("import.amount")}</th>{hasAdded && <th scope="col" className="n">{say("import.corrections")}</th>}</tr></thead>
        <tbody>
          {costs.map((cost) => (
            <tr key={cost}>
              <th scope="row">{say(`pick.basis.${cost}`)}</th>
              <td className="n">{amount(totals[cost], stated[cost])}</td>
              {hasAdded && <td className="n">{amount(added?.[cost] ?? null, corrections?.[cost], true)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What was agreed is no cost: it changes no amount. */
function CommitmentFacts({ file }: { readonly file: PreviewFile }) {
  const { say } = useSpeech();
  return (
    <section>
      <SectionHead title={say("import.commitments")} note={file.path} />
      <p className="context">{say("import.commitments.what", { count: file.rowsPosted })}</p>
    </section>
  );
}

function TelemetryFacts({ file }: { readonly file: PreviewFile }) {
  const { say, words } = useSpeech();
  const facts = file.telemetry;
  const lines: readonly (readonly [string, string])[] = [
    [say("telemetry.devices"), words.count(file.devices)],
    [say("telemetry.hosts"), facts === null || facts.hosts.length === 0 ? dash : facts.hosts.join(", ")],
    [say("telemetry.span"), facts === null || facts.firstAt === null || facts.lastAt === null ? dash : say("telemetry.from-to", { from: words.instant(facts.firstAt, "minute"), to: words.instant(facts.lastAt, "minute") })],
    [say("telemetry.zone"), facts === null || facts.zone === null ? dash : say(`telemetry.zone.${facts.zoneFrom}`, { zone: facts.zone })],
    [say("telemetry.spacing"), facts === null || facts.typicalSpacingSeconds === null ? dash : say("time.seconds", { count: Math.round(facts.typicalSpacingSeconds) })],
    [say("telemetry.coverage"), file.coverage === null ? dash : words.ratio(file.coverage)],
    [say("telemetry.low-trust"), facts === null ? dash : words.count(facts.lowTrustSamples)],
    [say("telemetry.duplicates"), facts === null ? dash : words.count(facts.duplicates)],
  ];
  return (
    <>
      <section>
        <SectionHead title={say("telemetry.title")} note={file.path} />
        <table className="statement" aria-label={say("telemetry.title")}>
          <thead><tr><td /><td /></tr></thead>
          <tbody>{lines.map(([label, text]) => <tr key={label}><th scope="row">{label}</th><td className="n wrap">{text}</td></tr>)}</tbody>
        </table>
      </section>
      <section>
        <SectionHead title={say("telemetry.matched")} />
        <table className="statement" aria-label={say("telemetry.matched")}>
          <thead><tr><th scope="col">{say("match.host")}</th><th scope="col">{say("match.resource")}</th></tr></thead>
          <tbody>
            {(facts?.matched ?? []).map(({ host, resource, rule }) => (
              <tr key={host}><th scope="row" className="mono">{host}</th><td className="wrap">{resource === null ? <span className="muted">{say("match.none")}</span> : <><span className="mono">{resource}</span> {rule !== null && <span className="muted small">{sayCode(say, "imports.match-rule", rule)}</span>}</>}</td></tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Reasons({ preview, file }: { readonly preview: ImportPreview; readonly file: PreviewFile }) {
  const { say, words } = useSpeech();
  const repairs = Object.entries(file.repairs).filter(([, count]) => count > 0);
  const hash = file.sha256 === null ? null : `sha256 ${file.sha256.slice(0, 4)} ${file.sha256.slice(4, 8)} … ${file.sha256.slice(-4)}`;
  return (
    <section>
      <SectionHead title={say("import.why", { format: formatName(file, say) })} note={hash} />
      <ul className="reasons">
        {file.sameAs !== null && file.state === "ready" && <li>{say("import.same-bytes", { file: file.sameAs, host: file.telemetry?.hosts.join(", ") ?? "" })}</li>}
        {file.reasons.map(({ code, params }) => <li key={code}>{sayCode(say, "imports.reason", code, params)}</li>)}
        {file.periods.length > 0 && <li>{say("reason.periods", { periods: file.periods.map((period) => words.period(period)).join(words.language === "zh-CN" ? "、" : ", ") })}</li>}
        {repairs.map(([name, count]) => <li key={name}>{say("reason.repair", { repair: sayCode(say, "imports.repair", name), count })}</li>)}
      </ul>
      {isMapped(file) && file.state === "ready" && <p className="actions"><MapColumns preview={preview} file={file} label={say("import.map.change")} /></p>}
    </section>
  );
}

function SetAside({ file }: { readonly file: PreviewFile }) {
  const { say, words } = useSpeech();
  return (
    <section>
      <SectionHead title={say("change.aside")} note={say("import.aside.note")} />
      <table className="statement" aria-label={say("change.aside")}>
        <thead><tr><th scope="col">{say("import.line")}</th><th scope="col">{say("import.aside.expected")}</th><th scope="col">{say("import.aside.found")}</th></tr></thead>
        <tbody>
          {file.setAside.slice(0, 20).map((row) => (
            <tr key={row.line}>
              <th scope="row" className="mono">{words.count(row.line)}</th>
              <td className="wrap">{sayCode(say, "expected", row.reason)}</td>
              <td className="mono wrap">{row.column} “{row.value.length > 60 ? `${row.value.slice(0, 60)}…` : row.value}”</td>
            </tr>
          ))}
          <tr className="total"><th scope="row" colSpan={3}>{say("import.aside.count", { count: file.rowsSetAside })}</th></tr>
        </tbody>
      </table>
    </section>
  );
}

function Deliveries({ file }: { readonly file: PreviewFile }) {
  const { say, words } = useSpeech();
  const cover = useCover();
  return (
    <section>
      <SectionHead title={say("import.deliveries")} note={say("import.deliveries.note")} />
      <table className="statement" aria-label={say("import.deliveries")}>
        <thead><tr><th scope="col">{say("import.delivery")}</th><th scope="col">{say("import.days")}</th><th scope="col">{say("import.replaces")}</th></tr></thead>
        <tbody>
          {file.deliveries.map((delivery, index) => (
            <tr key={index}>
              <th scope="row" className="wrap">{[delivery.providerName, delivery.billingAccountId, words.period(delivery.period)].filter((part) => part !== null).join(" · ")}</th>
              <td className="wrap">{say(delivery.coversAllAccounts ? "import.days.all" : "import.days.some", { from: words.instant(delivery.firstDay, "day"), to: words.instant(delivery.lastDay, "day") })}
                {delivery.coverage !== "whole" && <><br /><Act className="link small" isBusy={cover.isBusy} onPress={() => void cover.run(delivery)}>{say(delivery.coverage === "held" ? "import.widen" : "import.widen.back")}</Act></>}
              </td>
              <td>{delivery.replacesBatches.length === 0 ? <span className="muted">{say("import.replaces.nothing")}</span> : say("import.replaces.batches", { batches: delivery.replacesBatches.join(", ") })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {cover.error !== null && <Refused error={cover.error} />}
    </section>
  );
}
