import type { HeatBlock } from "../../shared/contract/report.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { shapesOf } from "../charts/drawing.ts";
import { heatOption } from "../charts/heat.ts";
import { Heading } from "./blocks.tsx";
import { Shapes } from "./Shapes.tsx";
import { paperTokens } from "./tokens.ts";

const plotWidth = 430;
const rowHeight = 15;
/** A page and a half; the whole fleet is in the window and in the tables of the other exports. */
const rowsOnPaper = 64;

/** The fleet over the whole period, a row a host; mean and idle hours beside it. */
export function Heat({ block, words }: { readonly block: HeatBlock; readonly words: Words }) {
  const start = Date.parse(block.start);
  const instant = (hour: number): string => words.instant(new Date(start + hour * 3_600_000).toISOString(), "day");
  return (
    <section>
      <Heading title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <p className="heat-key" aria-hidden="true">
        <i className="held" />{words.say("heat.held")}<i className="dead" />{words.say("heat.dead")}<i className="ramp" />{words.say("heat.ramp")}<i className="hatched" />{words.say("heat.unknown")}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.say("print.host")}</th>
            <th scope="col"><span className="span"><span>{instant(0)}</span><span>{instant(Math.max(0, block.hours - 1))}</span></span></th>
            <th scope="col" className="n">{words.say("print.mean")}</th>
            <th scope="col" className="n">{words.say("print.idle-hours")}</th>
          </tr>
        </thead>
        <tbody>
          {block.rows.slice(0, rowsOnPaper).map(({ id, label, states, mean, idleHours }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td className="plot"><Shapes shapes={shapesOf(heatOption([{ y: 0, states }], { from: 0, to: block.hours, startHour: new Date(start).getUTCHours(), tokens: paperTokens }), plotWidth, rowHeight)} width={plotWidth} height={rowHeight} /></td>
              <td className="n">{words.figure(mean)}</td>
              <td className="n">{words.figure(idleHours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {block.rows.length > rowsOnPaper && <p className="heat-key">{words.say("heat.more-rows", { count: block.rows.length - rowsOnPaper })}</p>}
    </section>
  );
}
