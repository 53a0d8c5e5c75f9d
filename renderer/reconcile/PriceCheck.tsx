import { useId, useState } from "react";
import type { PriceCheck as Checked } from "../../shared/contract/quality.ts";
import { useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** Unit price × quantity against cost, row by row in the files of a month, when the person asks for it: the files are read again. */
export function PriceCheck({ month }: { readonly month: string }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { tell, isBusy, error } = useTell("quality.prices");
  const [found, setFound] = useState<{ readonly month: string; readonly checked: Checked } | null>(null);
  const shown = found?.month === month ? found.checked : null;
  const run = async (): Promise<void> => {
    const answered = await tell({ period: month });
    if (answered.ok) setFound({ month, checked: answered.value });
  };
  return (
    <section className="quality" aria-labelledby={id}>
      <SectionHead id={id} title={say("quality.prices")} note={say("quality.prices.note", { period: words.period(month) })} />
      {error !== null && <Refused error={error} />}
      {shown === null ? (
        <p><Act isBusy={isBusy} onPress={() => void run()}>{say(isBusy ? "quality.prices.checking" : "quality.prices")}</Act></p>
      ) : <Outcome checked={shown} id={id} />}
    </section>
  );
}

function Outcome({ checked, id }: { readonly checked: Checked; readonly id: string }) {
  const { say, words, error } = useSpeech();
  const { rowsChecked, rowsOff, rows, missing } = checked;
  return (
    <>
      <p role="status">{rowsChecked === 0 ? say("quality.prices.none") : rowsOff === 0 ? say("quality.prices.ok", { count: rowsChecked }) : say("quality.prices.off", { count: rowsOff, checked: words.count(rowsChecked) })}</p>
      {missing.map((trouble, index) => <p key={index} className="note warning">{error(trouble).what}</p>)}
      {rows.length > 0 && (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("quality.prices.place")}</th><th scope="col">{say("quality.check")}</th><th scope="col" className="n">{say("quality.prices.price")}</th><th scope="col" className="n">{say("quality.prices.quantity")}</th><th scope="col" className="n">{say("quality.prices.product")}</th><th scope="col" className="n">{say("quality.prices.stated")}</th></tr></thead>
          <tbody>
            {rows.map(({ file, line, column, unitPrice, quantity, product, cost }) => (
              <tr key={`${file} ${line} ${column}`}>
                <th scope="row">{say("commit.contracts.line", { file, line: words.count(line) })}</th>
                <td>{column}</td>
                <td className="n mono">{unitPrice}</td>
                <td className="n mono">{quantity}</td>
                <td className="n mono">{product}</td>
                <td className="n mono">{cost}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
