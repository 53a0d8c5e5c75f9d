import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import type { ReactNode } from "react";
import type { OptionFigure, PlanOption } from "../../shared/contract/plan.ts";
import { workedFrom } from "../../shared/contract/plan.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { sourceText } from "./source.ts";

interface WorkedByProps {
  readonly title: string;
  /** What it is a figure of. */
  readonly of: string;
  readonly what?: string | null;
  readonly formula: string;
  readonly inputs: readonly { readonly label: string; readonly figure: Figure }[];
  readonly result: Figure;
  /** Where its price is from. */
  readonly source?: string | undefined;
  /** The figure in words. */
  readonly children: ReactNode;
}

/** A figure that says in place how it is worked out: its formula, what stands in it, and what each rests on. */
export function WorkedBy({ title, of, what = null, formula, inputs, result, source, children }: WorkedByProps) {
  const { say, words } = useSpeech();
  if (result.value === null) return <span className="unknown" title={result.why === undefined ? undefined : words.unknown(result.why)}>{children}</span>;
  const line = (label: string, figure: Figure) => <><dt>{label}</dt><dd>{words.figure(figure)} <small>{say(`panel.basis.${figure.basis}`)}</small></dd></>;
  return (
    <DialogTrigger>
      <Button className="figure" data-figure="">{children}</Button>
      <Popover className="popover worked" placement="bottom end">
        <Dialog>
          <Heading slot="title" level={2}>{title}</Heading>
          <p className="worked-option">{of}</p>
          {what !== null && <p>{what}</p>}
          <p className="formula">{formula}</p>
          <dl>
            {inputs.map(({ label, figure }) => <div key={label}>{line(label, figure)}</div>)}
            <div className="worked-result">{line(title, result)}</div>
          </dl>
          {result.coverage < 1 && <p>{say("commit.worked.coverage", { share: words.ratio(result.coverage) })}</p>}
          {source !== undefined && <p>{say("commit.worked.source", { source })}</p>}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** A figure of an option. */
export function Worked({ option, figure, children }: { readonly option: PlanOption; readonly figure: OptionFigure; readonly children: ReactNode }) {
  const speech = useSpeech();
  const { say, words } = speech;
  return (
    <WorkedBy
      title={say(`commit.figure.${figure}`)}
      of={words.text(option.name)}
      what={figure === "exit" || figure === "payback" || figure === "level" ? say(`commit.what.${figure}`) : null}
      formula={say(`commit.formula.${figure}`)}
      inputs={workedFrom[figure].map((input) => ({ label: say(`commit.input.${input}`), figure: option.inputs[input] }))}
      result={option.figures[figure]}
      source={sourceText(option.source, speech)}
    >
      {children}
    </WorkedBy>
  );
}
