import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { cudaQuestionSchema } from "../../shared/contract/findings.ts";
import type { CudaAnswer, FindingsAnswer } from "../../shared/contract/findings.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { cudaSentences } from "../../shared/i18n/cuda.ts";
import type { Engine } from "../engine/serve.ts";
import { currencyOf, type CommandLine } from "./arguments.ts";

type WithEngine = (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>;
type Out = (text: string) => void;

/** What telemetry of a period found, in words or as JSON. */
export async function findings(line: CommandLine, words: Words, out: Out, withEngine: WithEngine): Promise<Result<number, LedgerError>> {
  const { period } = line.options;
  const currency = currencyOf(line);
  if (!currency.ok) return currency;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  return withEngine(async (engine) => {
    const answer = await engine.ask("findings.read", { period, scope: line.scope, currency: currency.value });
    if (!answer.ok) return answer;
    out(line.flags.has("json") ? `${JSON.stringify(answer.value, null, 2)}\n` : findingsText(answer.value, words));
    return ok(0);
  });
}

function findingsText({ findings: found, currency, devices, measured }: FindingsAnswer, words: Words): string {
  if (devices === 0) return `${words.say("findings.no-telemetry")}\n`;
  const amount = (text: string | null): string => {
    const parsed = text === null ? null : parseAmount(text);
    return parsed === null || currency === null ? "—" : words.money(parsed.value, currency);
  };
  const lines = found.flatMap(({ kind, host, team, owner, saving, what, evidence, todo }) => [
    words.say("findings.line", { host, team: [team, owner].filter((name) => name !== null).join(", ") || words.say("findings.no-owner"), what: `${words.say(`findings.kind.${kind}`)}: ${words.text(what)}`, saving: amount(saving) }),
    `  ${words.text(evidence)}`,
    ...todo.map((step) => `  - ${words.text(step)}`),
  ]);
  if (found.length === 0) lines.push(words.say("findings.none"));
  lines.push(words.say("findings.measured", { devices: words.count(devices), tensor: words.count(measured.tensor), sm: words.count(measured.sm), memory: words.count(measured.memory) }));
  return `${lines.join("\n")}\n`;
}

/** Whether card, toolkit, driver and build fit: `cuda-check "NVIDIA H100 PCIe" --toolkit 12.1 --driver 535.54 --built "8.0 9.0+PTX"`. */
export async function cudaCheck(line: CommandLine, words: Words, out: Out, withEngine: WithEngine): Promise<Result<number, LedgerError>> {
  const [gpu] = line.positionals;
  if (gpu === undefined) return err(ledgerError("use.missing", { option: "GPU" }));
  const { toolkit = null, driver = null, built = null } = line.options;
  const asked = cudaQuestionSchema.safeParse({ gpu, toolkit, driver, builtFor: built, isWindows: false });
  if (!asked.success) {
    const option = asked.error.issues[0]?.path[0] === "driver" ? "--driver" : asked.error.issues[0]?.path[0] === "toolkit" ? "--toolkit" : "GPU";
    return err(ledgerError("use.invalid", { option, value: option === "--driver" ? (driver ?? "") : option === "--toolkit" ? (toolkit ?? "") : gpu }));
  }
  return withEngine(async (engine) => {
    const answer = await engine.ask("cuda.check", asked.data);
    if (!answer.ok) return answer;
    out(line.flags.has("json") ? `${JSON.stringify(answer.value, null, 2)}\n` : `${cudaText(answer.value, words)}\n`);
    return ok(0);
  });
}

function cudaText(answer: CudaAnswer, words: Words): string {
  return cudaSentences(answer).map(([key, values]) => words.say(key, values)).join("\n");
}
