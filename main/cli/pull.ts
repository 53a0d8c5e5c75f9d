import { createInterface } from "node:readline/promises";
import { priceText, pullParts, type ExplorerAnswers, type PullOutcome, type PullPart, type PullPlan } from "../../shared/contract/connect.ts";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import { childConnection } from "../connect/connection.ts";
import type { Connection } from "../connect/messages.ts";
import { createPuller } from "../connect/puller.ts";
import type { Engine } from "../engine/serve.ts";
import { amountText } from "./budgets.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";
import { sentences } from "../../shared/contract/words.ts";

/** The built program of the process that holds the network, beside this one. */
function connection(): Connection {
  return childConnection(new URL("./connect.js", import.meta.url));
}

/** Says what a pull would send and cost, and sends it once the person has agreed. */
export async function pullFrom(line: CommandLine, engine: Engine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const { period, profile = null, most, parts } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  const chosen = parts === undefined ? [...pullParts] : parts.split(",").map((each) => each.trim());
  const unknown = chosen.find((each) => !(pullParts as readonly string[]).includes(each));
  if (unknown !== undefined) return err(ledgerError("use.invalid", { option: "--parts", value: unknown }));
  if (most !== undefined && !/^[1-9]\d{0,3}$/.test(most)) return err(ledgerError("use.invalid", { option: "--most", value: most }));
  const wish = { period, profile, parts: chosen as PullPart[], isRefresh: line.flags.has("refresh") };

  const planned = await engine.ask("connect.plan", wish);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const mostRequests = most === undefined ? plan.mostRequests : Number(most);
  if (plan.requestsToSend === 0) return finish(null);
  for (const text of planLines(plan, mostRequests, words)) streams.err(`${text}\n`);
  if (line.flags.has("preview")) {
    if (line.flags.has("json")) streams.out(`${JSON.stringify({ plan }, null, 2)}\n`);
    return ok(0);
  }
  const isAgreed = line.flags.has("yes") || (streams.confirm !== undefined && (await streams.confirm(words.say("connect.confirm"))));
  if (!isAgreed) return err(ledgerError("connect.unconfirmed", { requests: plan.requestsToSend, price: plan.price }));

  const pull = createPuller({
    ask: (name, input) => engine.ask(name, input),
    connect: streams.connect ?? connection,
    progress: ({ sent, answered, asked, call }) => streams.err(`${words.say("connect.progress", { sent: words.count(sent), answered: words.count(answered), asked: words.count(asked), call })}\n`),
    reference: () => "connect",
    ...(streams.wait === undefined ? {} : { wait: streams.wait }),
  });
  const pulled = await pull({ ...wish, mostRequests });
  return pulled.ok ? finish(pulled.value) : pulled;

  async function finish(outcome: PullOutcome | null): Promise<Result<number, LedgerError>> {
    const read = await engine.ask("connect.read", {});
    if (!read.ok) return read;
    for (const refusal of outcome?.refused ?? []) streams.err(`${refusal.code}: ${sentences(Object.values(words.error(refusal)), words.language)}\n`);
    if (outcome !== null && outcome.error !== null) {
      streams.err(`${words.say("connect.so-far", { sent: words.count(outcome.requestsSent), price: outcome.price, answered: words.count(outcome.answered), asked: words.count(outcome.asked) })}\n`);
      return err(outcome.error);
    }
    if (outcome !== null) streams.err(`${words.say("connect.done", { sent: words.count(outcome.requestsSent), price: outcome.price })}\n`);
    else streams.err(`${words.say("connect.all-kept")}\n`);
    streams.out(line.flags.has("json") ? `${JSON.stringify({ outcome, answers: read.value }, null, 2)}\n` : answersText(read.value, plan.months, words));
    return ok(0);
  }
}

/** Asks on the terminal, where there is one. */
export async function confirmOnTerminal(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(y|yes|是)$/i.test((await asking.question(`${question} `)).trim());
  } finally {
    asking.close();
  }
}

function planLines({ requestsToSend, price, requests, monthsLeftOut, requestsSent }: PullPlan, most: number, words: Words): string[] {
  const kept = requests.length - requestsToSend;
  return [
    words.say("connect.plan", { requests: words.count(requestsToSend), price, most: words.count(most), mostPrice: priceText(most) }),
    ...(kept > 0 ? [words.say("connect.plan.kept", { count: kept })] : []),
    ...(monthsLeftOut.length > 0 ? [words.say("connect.plan.left-out", { months: monthsLeftOut.join(", ") })] : []),
    ...(requestsSent > 0 ? [words.say("connect.plan.sent", { requests: words.count(requestsSent), price: priceText(requestsSent) })] : []),
  ];
}

/** A line a month, Cost Explorer beside the bills. */
function answersText({ months, forecast }: ExplorerAnswers, wanted: readonly string[], words: Words): string {
  const shown = months.filter(({ month }) => wanted.includes(month));
  const lines = shown.map(({ month, currency, unblended, amortized, billed, effective, isEstimated }) => {
    const amount = (stated: string | null): string => amountText(stated, currency, words);
    return words.say(isEstimated ? "connect.line-estimated" : "connect.line", { month, unblended: amount(unblended), amortized: amount(amortized), billed: amount(billed), effective: amount(effective) });
  });
  for (const { month, mean, low, high, currency } of forecast) lines.push(words.say("connect.line-forecast", { month, mean: amountText(mean, currency, words), low: amountText(low, currency, words), high: amountText(high, currency, words) }));
  return `${(lines.length === 0 ? [words.say("connect.nothing")] : lines).join("\n")}\n`;
}
