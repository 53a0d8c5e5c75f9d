import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import type { ReactNode } from "react";
import type { OptionFigure, PlanOption } from "../../shared/contract/plan.ts";
import { workedFrom } from "../../shared/contract/plan.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

interface WorkedProps {
  readonly option: PlanOption;
  readonly figure: OptionFigure;
  /** The figure in words. */
  readonly children: ReactNode;
}

/** A figure of an option that says how it is worked out: its formula, what stands in it, and what it rests on. */
export function Worked({ option, figure, children }: WorkedProps) {
  const { say, words } = useSpeech();
  const { value, basis } = option.figures[figure];
  if (value === null) return <span className="unknown">{children}</span>;
  const what = figure === "exit" || figure === "payback" || figure === "level" ? say(`commit.what.${figure}`) : null;
  return (
    <DialogTrigger>
      <Button className="figure" data-figure="">{children}</Button>
      <Popover className="popover worked" placement="bottom end">
        <Dialog>
          <Heading slot="title" level={2}>{say(`commit.figure.${figure}`)}</Heading>
          <p className="worked-option">{words.text(option.name)}</p>
          {what !== null && <p>{what}</p>}
          <p className="formula">{say(`commit.formula.${figure}`)}</p>
          <dl>
            {workedFrom[figure].map((input) => (
              <div key={input}>
                <dt>{say(`commit.input.${input}`)}</dt>
                <dd>{words.figure(option.inputs[input])} <small>{say(`panel.basis.${option.inputs[input].basis}`)}</small></dd>
              </div>
            ))}
            <div className="worked-result"><dt>{say(`commit.figure.${figure}`)}</dt><dd>{words.figure(option.figures[figure])} <small>{say(`panel.basis.${basis}`)}</small></dd></div>
          </dl>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
