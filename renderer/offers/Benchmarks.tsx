import { useId, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { type Benchmark, type BenchmarkImport, type BenchmarkList, precisions } from "../../shared/contract/offers.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused, Skeleton } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { decimalOf, isDay } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What the person measured, and how it scales: it ranks offers before any data sheet does. */
export function Benchmarks({ status }: { readonly status: LedgerStatus }) {
  const { say, words, error } = useSpeech();
  const asked = useAsk("benchmarks.list", {});
  const [form, setForm] = useState<Benchmark | "new" | null>(null);
  const [taking, setTaking] = useState<{ readonly token: string; readonly preview: BenchmarkImport } | null>(null);
  const choose = useTell("files.choose");
  const read = useTell("benchmarks.import");
  const tell = useNotice((store) => store.tell);
  const id = useId();
  const open = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "import" });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const preview = await read.tell({ file: file.token, isPreview: true, by: null });
    if (!preview.ok) return tell({ text: error(preview.error).what, detail: error(preview.error).todo });
    setTaking({ token: file.token, preview: preview.value });
  };
  const take = async (): Promise<void> => {
    if (taking === null) return;
    const done = await read.tell({ file: taking.token, isPreview: false, by: null });
    if (!done.ok) return;
    tell({ text: say("benchmarks.imported", countsOf(done.value)) });
    setTaking(null);
  };
  if (asked.state === "asking") return <Skeleton label={say("state.asking")} />;
  if (asked.state === "refused") return <Refused error={asked.error} />;
  const { benchmarks, workloads, accelerators } = asked.value;
  const labels = new Map(accelerators.map((part) => [part.id, part.label]));
  return (
    <div>
      <div className="page-head">
        <h1>{say("offers.tab.benchmarks")}</h1>
        {!status.isReadOnly && (
          <span className="actions">
            <button type="button" className="link" onClick={() => void open()}>{say("benchmarks.import")}</button>
            <button type="button" className="link main" onClick={() => setForm("new")}>{say("benchmarks.add")}</button>
          </span>
        )}
      </div>
      <p className="answer">{benchmarks.length === 0 ? say("benchmarks.answer.none") : say("benchmarks.answer", { count: words.count(benchmarks.length), workloads: words.count(workloads.length) })}</p>
      <p className="context">{say("benchmarks.context")}</p>
      <div className="offers-page">
        {benchmarks.length === 0 && <p className="prose">{say("benchmarks.empty")}</p>}
        {benchmarks.length > 0 && (
          <section aria-labelledby={id}>
            <SectionHead id={id} title={say("benchmarks.title")} />
            <table className="statement dense" aria-labelledby={id}>
              <thead>
                <tr>
                  <th scope="col">{say("benchmarks.workload")}</th>
                  <th scope="col">{say("benchmarks.accelerator")}</th>
                  <th scope="col">{say("benchmarks.machine")}</th>
                  <th scope="col" className="n">{say("benchmarks.gpus")}</th>
                  <th scope="col" className="n">{say("benchmarks.rate")}</th>
                  <th scope="col" className="n">{say("benchmarks.per-gpu")}</th>
                  <th scope="col">{say("benchmarks.unit")}</th>
                  <th scope="col">{say("benchmarks.precision")}</th>
                  <th scope="col">{say("benchmarks.stack")}</th>
                  <th scope="col">{say("benchmarks.measured")}</th>
                  <th scope="col">{say("benchmarks.source")}</th>
                </tr>
              </thead>
              <tbody>
                {benchmarks.map((benchmark) => {
                  const rate = Number(benchmark.unitsPerSecond);
                  return (
                    <tr key={benchmark.id}>
                      <th scope="row">{status.isReadOnly ? benchmark.workload : <button type="button" className="row-toggle" onClick={() => setForm(benchmark)}>{benchmark.workload}</button>}</th>
                      <td>{labels.get(benchmark.acceleratorId) ?? benchmark.acceleratorId}</td>
                      <td>{benchmark.instanceType ?? <span className="muted">{say("benchmarks.machine.any")}</span>}</td>
                      <td className="n">{words.number(benchmark.gpus, { digits: Number.isInteger(benchmark.gpus) ? 0 : 3 })}</td>
                      <td className="n">{rateText(words, rate)}</td>
                      <td className="n">{rateText(words, rate / benchmark.gpus)}</td>
                      <td>{benchmark.unit}</td>
                      <td>{benchmark.precision ?? <span className="muted">{say("benchmarks.precision.any")}</span>}</td>
                      <td>{benchmark.stack ?? <span className="unknown">—</span>}</td>
                      <td>{words.instant(`${benchmark.measuredOn}T00:00:00Z`, "day")}</td>
                      <td className="muted">{benchmark.source}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
        )}
        <ScalingTable list={asked.value} />
      </div>
      {form !== null && <BenchmarkForm benchmark={form === "new" ? null : form} list={asked.value} onClose={() => setForm(null)} />}
      {taking !== null && (
        <FormDialog title={say("benchmarks.import.title", { file: taking.preview.file })} onClose={() => setTaking(null)} onSave={() => void take()} saveLabel={say("benchmarks.import.take")} isBusy={read.isBusy} error={read.error}>
          <p className="prose">{say("benchmarks.imported", countsOf(taking.preview))}</p>
          <p className="prose">{taking.preview.workloads.join(" · ")}</p>
        </FormDialog>
      )}
    </div>
  );
}

function ScalingTable({ list: { scaling } }: { readonly list: BenchmarkList }) {
  const { say, words } = useSpeech();
  const id = useId();
  if (scaling.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("benchmarks.scaling.title")} note={say("benchmarks.scaling.note")} />
      <table className="statement dense" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{say("benchmarks.workload")}</th>
            <th scope="col">{say("benchmarks.accelerator")}</th>
            <th scope="col" className="n">{say("benchmarks.gpus")}</th>
            <th scope="col" className="n">{say("benchmarks.rate")}</th>
            <th scope="col" className="n">{say("benchmarks.scaling.efficiency")}</th>
            <th scope="col" className="n">{say("benchmarks.scaling.cost")}</th>
          </tr>
        </thead>
        <tbody>
          {scaling.flatMap(({ workload, accelerator, points }) =>
            points.map(({ gpus, unitsPerSecond, efficiency, costMultiplier }, index) => (
              <tr key={`${workload} ${accelerator} ${gpus}`}>
                <th scope="row">{index === 0 ? workload : <span className="for-readers">{workload}</span>}</th>
                <td>{index === 0 ? accelerator : <span className="for-readers">{accelerator}</span>}</td>
                <td className="n">{words.count(gpus)}</td>
                <td className="n">{rateText(words, Number(unitsPerSecond))}</td>
                <td className="n">{efficiency === null ? <span className="unknown">—</span> : <><span className="scaling-bar" aria-hidden="true"><i style={{ width: `${Math.round(Math.min(1, efficiency) * 80)}px` }} /></span>{words.ratio(efficiency)}</>}</td>
                <td className="n">{costMultiplier === null ? <span className="unknown">—</span> : `×${words.number(costMultiplier, { digits: 2 })}`}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      {scaling.map(({ workload, accelerator, largestEfficient }) => (
        <p key={`${workload} ${accelerator}`} className="context">{largestEfficient === null ? say("benchmarks.scaling.none", { workload, accelerator }) : say("benchmarks.scaling.largest", { workload, accelerator, gpus: words.count(largestEfficient) })}</p>
      ))}
    </section>
  );
}

const ANY = " any";

function BenchmarkForm({ benchmark, list, onClose }: { readonly benchmark: Benchmark | null; readonly list: BenchmarkList; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const save = useTell("benchmark.save");
  const remove = useTell("benchmark.remove");
  const tell = useNotice((store) => store.tell);
  const [fields, setFields] = useState(() => ({
    workload: benchmark?.workload ?? "", unit: benchmark?.unit ?? "token", acceleratorId: benchmark?.acceleratorId ?? "nvidia-h100-sxm5-80gb", instanceType: benchmark?.instanceType ?? "", gpus: benchmark === null ? "" : String(benchmark.gpus),
    rate: benchmark?.unitsPerSecond ?? "", precision: benchmark?.precision ?? ANY, stack: benchmark?.stack ?? "", measuredOn: benchmark?.measuredOn ?? "",
  }));
  const [isTried, setTried] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const rate = decimalOf(fields.rate);
  const gpus = Number(fields.gpus);
  const isWrong = fields.workload.trim() === "" || fields.unit.trim() === "" || rate === null || !(Number(rate) > 0) || !(gpus > 0) || !isDay(fields.measuredOn);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isWrong || rate === null) return;
    const { workload, unit, acceleratorId, instanceType, stack, measuredOn } = fields;
    const precision = precisions.find((known) => known === fields.precision) ?? null;
    const done = await save.tell({ benchmark: { id: benchmark?.id ?? null, workload: workload.trim(), unit: unit.trim(), acceleratorId, instanceType: instanceType.trim() || null, gpus, unitsPerSecond: rate, precision, stack: stack.trim() || null, measuredOn, source: benchmark?.source ?? say("prices.origin.own") }, by: null });
    if (!done.ok) return;
    tell({ text: say("benchmarks.saved") });
    onClose();
  };
  const throwAway = async (): Promise<void> => {
    if (benchmark === null) return;
    const done = await remove.tell({ id: benchmark.id, by: null });
    if (!done.ok) return;
    tell({ text: say("benchmarks.removed") });
    onClose();
  };
  return (
    <FormDialog
      title={say(benchmark === null ? "benchmarks.form.new" : "benchmarks.form.edit")}
      onClose={onClose}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried && isWrong ? say("benchmarks.form.wrong") : null}
      error={save.error ?? remove.error}
      aside={benchmark === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say("field.remove")}</button>}
    >
      <div className="form-grid">
        <TextLine label={say("benchmarks.workload")} value={fields.workload} onChange={(workload) => put({ workload })} isFirst />
        <TextLine label={say("benchmarks.unit")} value={fields.unit} onChange={(unit) => put({ unit })} />
        <Choice label={say("benchmarks.accelerator")} value={fields.acceleratorId} choices={list.accelerators.map(({ id, label }) => ({ id, text: label }))} onChoose={(acceleratorId) => put({ acceleratorId })} />
        <TextLine label={say("benchmarks.machine")} value={fields.instanceType} onChange={(instanceType) => put({ instanceType })} hint={say("benchmarks.machine.any")} />
        <TextLine label={say("benchmarks.gpus")} value={fields.gpus} onChange={(text) => put({ gpus: text })} />
        <TextLine label={say("benchmarks.rate")} value={fields.rate} onChange={(text) => put({ rate: text })} />
        <Choice label={say("benchmarks.precision")} value={fields.precision} choices={[{ id: ANY, text: say("benchmarks.precision.any") }, ...precisions.map((precision) => ({ id: precision, text: precision }))]} onChoose={(precision) => put({ precision })} />
        <TextLine label={say("benchmarks.stack")} value={fields.stack} onChange={(stack) => put({ stack })} />
        <TextLine label={say("benchmarks.measured")} value={fields.measuredOn} onChange={(measuredOn) => put({ measuredOn })} hint="2026-09-30" />
      </div>
    </FormDialog>
  );
}

function rateText(words: ReturnType<typeof useSpeech>["words"], rate: number): string {
  return words.number(rate, { digits: rate < 10 ? 2 : rate < 100 ? 1 : 0 });
}

function countsOf({ file, added, changed, same }: BenchmarkImport): Readonly<Record<string, string | number>> {
  return { file, added, changed, same };
}
