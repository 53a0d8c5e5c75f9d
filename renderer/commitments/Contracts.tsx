import { useId } from "react";
import type { ContractCommitment } from "../../shared/contract/plan.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { attosOf } from "../reports/imports/amounts.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What providers say was agreed (FOCUS Contract Commitment): until when, how much, and which line of which file says so. No cost of any month. */
export function Contracts() {
  const { say, words } = useSpeech();
  const id = useId();
  const asked = useAsk("commitments.contracts", {});
  if (asked.state !== "answered" || asked.value.contracts.length === 0) return null;
  const day = (instant: string | null): string => (instant === null ? say("commit.end-unknown") : words.instant(instant, "day"));
  const cost = ({ cost: stated, currency }: ContractCommitment): string => {
    const attos = attosOf(stated);
    return attos === null || currency === null ? "—" : words.money(attos, currency);
  };
  return (
    <section aria-labelledby={id} className="contracts">
      <SectionHead id={id} title={say("commit.contracts.title")} note={say("commit.contracts.note")} />
      <table className="statement" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{say("commit.column.commitment")}</th>
            <th scope="col" className="n">{say("commit.contracts.cost")}</th>
            <th scope="col" className="n">{say("commit.contracts.quantity")}</th>
            <th scope="col" className="n">{say("commit.contracts.from")}</th>
            <th scope="col" className="n">{say("commit.column.ends")}</th>
            <th scope="col">{say("commit.contracts.source")}</th>
          </tr>
        </thead>
        <tbody>
          {asked.value.contracts.map((contract) => (
            <tr key={`${contract.batch} ${contract.file} ${contract.line}`}>
              <th scope="row" title={contract.commitment}>
                {contract.description ?? contract.commitment.split(/[/:]/).at(-1)}
                <br /><span className="first-note">{[contract.provider, contract.type, contract.contract, contract.status].filter((part) => part !== null).join(say("commit.list-comma"))}</span>
              </th>
              <td className="n">{cost(contract)}</td>
              <td className="n">{contract.quantity === null ? "—" : [words.count(Number(contract.quantity)), contract.unit].filter((part) => part !== null).join(" ")}</td>
              <td className="n">{contract.periodStart === null ? "—" : day(contract.periodStart)}</td>
              <td className="n">{day(contract.periodEnd)}</td>
              <td className="wrap muted small">{say("commit.contracts.line", { file: contract.file, line: words.count(contract.line) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
