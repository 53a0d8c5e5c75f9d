import { useRef, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { jobsAskedBy } from "../../shared/contract/jobs.ts";
import type { RowsPage } from "../../shared/contract/methods.ts";
import type { FigureRef } from "../../shared/contract/report.ts";
import type { MetricId } from "../../shared/domain/figure.ts";
import { dash } from "../../shared/i18n/format.ts";
import type { Result } from "../../shared/result.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked, useTell } from "../ledger/useAsk.ts";
import { useNotice } from "../state/notice.ts";
import { usePanel } from "../state/panel.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Refused } from "./states.tsx";
import { Act } from "./Act.tsx";

const pageSize = 200;
const rowHeight = 24;

/** Metrics that are measured: their rows are device hours. All others rest on rows of bills. */
const ofTelemetry: readonly MetricId[] = ["gpu-utilization", "memory-occupancy", "memory-p95", "memory-peak", "useful-gpu-hours", "idle-gpu-hours", "telemetry-coverage"];

/** The rows behind a figure, each with its file and line; read page by page as they come in sight. */
export function RowsDialog({ reference, title }: { readonly reference: FigureRef; readonly title: string }) {
  const { say } = useSpeech();
  const close = usePanel((panel) => panel.closeRows);
  const { client } = useLedger();
  const isOfJobs = jobsAskedBy(reference) !== null;
  const [of, setOf] = useState<"charges" | "gpu-hours" | "jobs">(isOfJobs ? "jobs" : ofTelemetry.includes(reference.metric) ? "gpu-hours" : "charges");
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && close()}>
      <Modal className="rows-dialog">
        <Dialog>
          <header>
            <Heading slot="title" level={2}>{title}</Heading>
            <span className="actions small">
              {(isOfJobs ? (["jobs"] as const) : (["charges", "gpu-hours"] as const)).map((kind) => (
                <button key={kind} type="button" className={kind === of ? "link main" : "link"} aria-pressed={kind === of} onClick={() => setOf(kind)}>{say(`rows.${kind}`)}</button>
              ))}
            </span>
            <button type="button" className="link" onClick={close}>{say("action.close")}</button>
          </header>
          <Rows key={of} question={["rows.read", reference, of]} read={(offset, limit) => asked(client, "rows.read", { ref: reference, of, offset, limit })} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface RowsProps {
  /** What names these rows among all that are asked for. */
  readonly question: readonly unknown[];
  readonly read: (offset: number, limit: number) => Promise<Result<RowsPage>>;
}

/** Rows of files with their lines, a page at a time. */
export function Rows({ question, read }: RowsProps) {
  const { say, words, error } = useSpeech();
  const { revision } = useLedger();
  const choose = useTell("files.choose");
  const relocate = useTell("sources.relocate");
  const tell = useNotice((store) => store.tell);
  const find = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "import" });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    if (chosen.value.length === 0) return;
    const found = await relocate.tell({ files: chosen.value.map(({ token }) => token) });
    if (!found.ok) return tell({ text: error(found.error).what, detail: error(found.error).todo });
    tell({ text: found.value.found === 0 ? say("rows.found-none") : say("rows.found", { count: found.value.found }) });
  };
  const scroll = useRef<HTMLDivElement>(null);
  const { data, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...question, revision],
    queryFn: ({ pageParam }) => read(pageParam, pageSize),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.ok && pages.length * pageSize < last.value.total ? pages.length * pageSize : undefined),
  });
  const pages = data?.pages ?? [];
  const [first] = pages;
  const rows = pages.flatMap((page) => (page.ok ? page.value.rows : []));
  const total = first?.ok === true ? first.value.total : 0;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: 23,
    onChange: ({ range }) => {
      if (range !== null && range.endIndex + 12 > rows.length && rows.length < total && !isFetching) void fetchNextPage();
    },
  });
  if (first === undefined) return <p className="rows-note" role="status">{say("state.asking")}</p>;
  if (!first.ok) return <div className="rows-note"><Refused error={first.error} /></div>;
  const { columns } = first.value;
  const missing = pages.flatMap((page) => (page.ok ? page.value.missing : []));
  return (
    <>
      {missing.length > 0 && (
        <div className="rows-note">
          {[...new Map(missing.map((entry) => [JSON.stringify(entry.params), entry])).values()].map((entry) => (
            <p key={JSON.stringify(entry.params)}><span className="alert-mark" aria-hidden="true">▲</span> {error(entry).what} <span className="muted">{error(entry).todo}</span></p>
          ))}
          <p><Act isBusy={relocate.isBusy} onPress={() => void find()}>{say("rows.find")}</Act></p>
        </div>
      )}
      {total === 0 ? (
        <p className="rows-note">{say("rows.none")}</p>
      ) : (
        <div className="rows-scroll" ref={scroll} tabIndex={0} role="region" aria-label={say("rows.title")}>
          <div className="rows-grid" role="table" aria-rowcount={total + 1} aria-label={say("rows.title")} style={{ height: virtual.getTotalSize() }}>
            <div className="rows-head" role="row" aria-rowindex={1}>
              <span className="rows-cell file" role="columnheader">{say("rows.file")}</span>
              <span className="rows-cell line" role="columnheader">{say("rows.line")}</span>
              {columns.map((column) => (
                <span key={column} className="rows-cell" role="columnheader" title={column}>{column}</span>
              ))}
            </div>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              return (
                <div key={item.key} className="rows-row" role="row" aria-rowindex={item.index + 2} style={{ transform: `translateY(${item.start}px)`, top: 0 }}>
                  <span className="rows-cell file" role="cell" title={row?.file}>{row?.file ?? "…"}</span>
                  <span className="rows-cell line" role="cell">{row === undefined ? "" : words.count(row.line)}</span>
                  {columns.map((column, index) => {
                    const value = row?.values[index];
                    return <span key={column} className="rows-cell" role="cell" title={value ?? undefined}>{row === undefined ? "" : (value ?? <span className="unknown">{dash}</span>)}</span>;
                  })}
                </div>
              );
            })}
          </div>
        </div>
      )}
      <footer className="small muted rows-note">{say("rows.shown", { count: total })}</footer>
    </>
  );
}
