import type { ImportOutcome, ImportPreview, LedgerStatus, PreviewFile } from "../../../shared/contract/methods.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import type { ReportDocument } from "../../../shared/contract/report.ts";
import { Icon } from "../../app/icons.tsx";
import { useTell } from "../../ledger/useAsk.ts";
import { useFiles } from "../../ledger/useFiles.ts";
import { DropArea } from "../../parts/DropArea.tsx";
import { Context, Sentence } from "../../parts/Sentence.tsx";
import { Refused } from "../../parts/states.tsx";
import { useDesk } from "../../state/desk.ts";
import { useNotice } from "../../state/notice.ts";
import { useWork } from "../../state/work.ts";
import { progressText } from "../../words/progress.ts";
import { Strong } from "../../words/Strong.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { CopyCommand } from "../CopyCommand.tsx";
import { BlockView } from "../standard/BlockView.tsx";
import { periodOf, useReport } from "../useReport.ts";
import { changesOf, totalOf } from "./amounts.ts";
import { Explorer } from "../../connect/Explorer.tsx";
import { PullDialog } from "../../connect/PullDialog.tsx";
import { usePulls } from "../../state/pulls.ts";
import { Reconcile } from "../../reconcile/Reconcile.tsx";
import { useView } from "../../state/view.ts";
import { PriceCheck } from "../../reconcile/PriceCheck.tsx";
import { Quality } from "../../reconcile/Quality.tsx";
import { Batches } from "./Batches.tsx";
import { FilesTable } from "./FilesTable.tsx";
import { Matching } from "./Matching.tsx";
import { FilePreview } from "./FilePreview.tsx";
import { MappingQuestions } from "./MapColumns.tsx";
import { Questions } from "./Questions.tsx";
import { useDeskPreview, useForgetPreviews } from "./useDeskPreview.ts";
import { sentences } from "../../../shared/contract/words.ts";

/** Is the data complete and right? Files to drop, what posting them would change, and what the ledger holds. */
export function Imports({ status }: { readonly status: LedgerStatus }) {
  const { say, error } = useSpeech();
  const desk = useDeskPreview();
  const clear = useDesk((store) => store.clear);
  const again = useDesk((store) => store.again);
  const selected = useDesk((store) => store.selected);
  const files = useFiles();
  const forget = useForgetPreviews();
  const post = useTell("import.post");
  const discard = useTell("import.discard");
  const cancel = useTell("import.cancel");
  const tell = useNotice((store) => store.tell);
  const rest = useWork((work) => work.rest);
  const pulls = usePulls();
  const period = useView((view) => view.period);
  const month = monthIn(periodOf({ period }, status), status);
  const { asked: report } = useReport("imports", status);
  const document = report.state === "answered" ? report.value : null;
  const preview = desk.state === "ready" ? desk.preview : null;
  const ready = preview === null ? [] : preview.files.filter(({ state }) => state === "ready");

  const putAway = (): void => {
    clear();
    forget();
    rest();
  };
  const run = async (plan: string): Promise<void> => {
    const result = await post.tell({ plan });
    rest();
    if (!result.ok) return;
    putAway();
    tell({ text: outcomeText(result.value, say) });
  };
  const throwAway = async (): Promise<void> => {
    if (preview !== null) await discard.tell({ plan: preview.plan });
    else if (desk.state === "reading") await cancel.tell({ plan: null });
    post.clear();
    putAway();
  };

  return (
    <>
      <div className="page-head">
        <h1>{say("desk.title")}</h1>
        <span className="actions">
          {desk.state === "empty" && document !== null && <CopyCommand request={document.request} ledgerName={document.provenance.ledgerName} />}
          {desk.state !== "empty" && <button type="button" className="link" onClick={() => void throwAway()}>{say(desk.state === "reading" || post.isBusy ? "action.cancel" : "import.discard")}</button>}
          {preview !== null && <button type="button" className="link main" disabled={ready.length === 0 || post.isBusy || status.isReadOnly} onClick={() => void run(preview.plan)}>{say(post.isBusy ? "import.posting" : "import.post", { count: ready.length })}</button>}
        </span>
      </div>
      <Answer desk={desk.state} preview={preview} document={document} isAsking={report.state === "asking" && !status.isEmpty} isPosting={post.isBusy} />

      <div className={desk.state === "empty" ? "desk empty" : "desk"}>
        <DropArea className="drop-area" label={say("import.drop")} onDrop={(list) => void files.drop(list)}>
          <Icon name="imports" />
          <div>{say("import.drop")}</div>
          <div className="small">
            <button type="button" className="link" onClick={() => void files.choose("import")}>{say("import.choose")}</button>
            {" · "}
            <button type="button" className="link" onClick={() => void files.choose("folder")}>{say("import.choose-folder")}</button>
            {!status.isReadOnly && <>{" · "}<button type="button" className="link" onClick={pulls.open}>{say("connect.door")}</button></>}
          </div>
          <div className="small muted">{say("import.stay")}</div>
        </DropArea>
        {desk.state !== "empty" && <FilesTable preview={preview} />}
      </div>
      {desk.state === "refused" && (
        <Refused error={desk.error}>
          <button type="button" className="link" onClick={again}>{say("action.again")}</button>
        </Refused>
      )}
      {post.error !== null && (
        <Refused error={post.error}>
          <button type="button" className="link" onClick={() => { post.clear(); again(); }}>{say("import.preview-again")}</button>
        </Refused>
      )}
      {preview !== null && <Questions files={preview.files} />}
      {preview !== null && <MappingQuestions preview={preview} />}
      {preview !== null && <SelectedPreview preview={preview} selected={selected} />}

      <div className="below">
        <div>
          {preview === null && document?.blocks.filter(({ id }) => id === "set-aside").map((block) => <BlockView key={block.id} block={block} />)}
          <Batches isReadOnly={status.isReadOnly} onError={(trouble) => tell({ text: error(trouble).what, detail: error(trouble).todo })} />
          <Matching isReadOnly={status.isReadOnly} />
        </div>
        <div>
          {report.state === "refused" && report.error.code !== "report.no-data" && <Refused error={report.error} />}
          {document?.blocks.filter(({ id }) => id !== "batches" && id !== "set-aside").map((block) => <BlockView key={block.id} block={block} />)}
        </div>
      </div>
      {month !== null && <Quality month={month} />}
      {month !== null && <PriceCheck month={month} />}
      {month !== null && <Reconcile month={month} isReadOnly={status.isReadOnly} />}
      <Explorer isReadOnly={status.isReadOnly} />
      {pulls.isOpen && <PullDialog onClose={pulls.close} />}
    </>
  );
}

/** Invoices are of months: of a longer period the newest that has a bill. */
function monthIn(period: string | null, status: LedgerStatus): string | null {
  const parsed = period === null ? null : parsePeriod(period);
  const months = parsed === null ? [] : monthsOf(parsed);
  return status.months.find(({ label, hasBill }) => hasBill && months.includes(label))?.label ?? null;
}

function SelectedPreview({ preview, selected }: { readonly preview: ImportPreview; readonly selected: number }) {
  const file = preview.files[Math.min(selected, preview.files.length - 1)];
  return file === undefined || file.state === "refused" ? null : <FilePreview key={file.path} preview={preview} file={file} />;
}

interface AnswerProps {
  readonly desk: "empty" | "reading" | "refused" | "ready";
  readonly preview: ImportPreview | null;
  readonly document: ReportDocument | null;
  /** The report is on its way: nothing can be said yet of what the ledger holds. */
  readonly isAsking: boolean;
  readonly isPosting: boolean;
}

function Answer({ desk, preview, document, isAsking, isPosting }: AnswerProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const reading = useWork((work) => work.reading);
  const count = useDesk(({ files }) => files.length);
  if (desk === "reading" || isPosting) {
    return (
      <>
        <p className="answer" role="status">{say(isPosting ? "desk.posting" : "desk.reading", { count })}</p>
        <p className="context">{reading === null ? say("desk.reading.text") : progressText(reading, speech)}</p>
      </>
    );
  }
  if (preview !== null) {
    const asideCount = preview.files.reduce((sum, file) => sum + file.rowsSetAside, 0);
    return (
      <>
        <p className="answer" role="status"><PreviewSentence files={preview.files} /></p>
        <p className="context">{sentences([say("desk.preview.text"), ...(asideCount > 0 ? [say("desk.preview.aside", { count: asideCount })] : [])], words.language)}</p>
      </>
    );
  }
  if (document !== null) return <><Sentence message={document.answer} /><Context messages={document.context} /></>;
  if (isAsking) return <p className="answer" role="status" aria-busy="true">{say("state.asking")}</p>;
  return <><p className="answer">{say("desk.empty")}</p><p className="context">{say("desk.empty.text")}</p></>;
}

function PreviewSentence({ files }: { readonly files: readonly PreviewFile[] }) {
  const { say, words } = useSpeech();
  const ready = files.filter(({ state }) => state === "ready");
  const bills = ready.filter(({ kind }) => kind === "billing");
  if (ready.length === 0) return <>{say(files.every(({ state }) => state === "unchanged") ? "desk.preview.unchanged" : "desk.preview.nothing")}</>;
  const changes = new Map<string, bigint>();
  for (const file of bills) {
    for (const [currency, lines] of changesOf(file)) {
      const { change } = totalOf(lines);
      if (change !== null) changes.set(currency, (changes.get(currency) ?? 0n) + change);
    }
  }
  const [[currency, change] = ["", 0n], ...others] = [...changes];
  const agreed = ready.filter(({ kind }) => kind === "commitments");
  if (agreed.length === ready.length) return <>{say("desk.preview.commitments", { count: agreed.reduce((sum, { rowsPosted }) => sum + rowsPosted, 0) })}</>;
  if (changes.size === 0) return <>{say("desk.preview.telemetry", { count: ready.reduce((sum, { devices }) => sum + devices, 0) })}</>;
  const amount = words.money(change < 0n ? -change : change, currency);
  if (others.length > 0) return <Strong text="desk.preview.several" values={{ amounts: [[currency, change] as const, ...others].map(([code, value]) => words.money(value, code, { signed: true })).join(words.language === "zh-CN" ? "、" : ", ") }} />;
  if (change === 0n) return <>{say("desk.preview.no-change")}</>;
  return <Strong text={change > 0n ? "desk.preview.more" : "desk.preview.less"} values={{ amount }} />;
}

function outcomeText({ files }: ImportOutcome, say: ReturnType<typeof useSpeech>["say"]): string {
  const posted = files.filter(({ state }) => state === "posted").length;
  return posted === 0 ? say("desk.done.nothing") : say("desk.done", { count: posted });
}
