import type { IpcMain, IpcMainInvokeEvent } from "electron";
import { ledgerError } from "../../shared/contract/errors.ts";
import { methods } from "../../shared/contract/methods.ts";
import type { MethodInput } from "../../shared/contract/methods.ts";
import { innerMethodNames, methodNames } from "../../shared/contract/names.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { droppedFiles, withPaths, withoutPaths } from "./files.ts";
import type { FileToken, FileTokens } from "./files.ts";
import { awsProfiles } from "../connect/profiles.ts";
import { isOurs } from "./protocol.ts";

export interface Bridge {
  /** The engine, in whatever process. */
  ask(question: MethodName, input: unknown): Promise<Result<unknown>>;
  readonly tokens: FileTokens;
  choose(choice: MethodInput<"files.choose">): Promise<readonly FileToken[]>;
  /** Pulls from AWS, in a process of its own; null ends the pull that runs. */
  pull?(order: MethodInput<"connect.pull"> | null): Promise<Result<unknown>>;
  /** Draws a report as PDF in a window of its own, since the engine has none. */
  exportPdf?(wanted: MethodInput<"report.export">): Promise<Result<{ readonly file: string }>>;
  /** Draws the statement of an ESG pack, in base64; null where it cannot be drawn. */
  drawStatement?(wanted: MethodInput<"esg.export">): Promise<string | null>;
}

/** Who sent a message: the little of Electron's frame that is looked at. */
export type Sender = { readonly url: string; readonly parent: unknown } | null;

/** The one door from the window: two channels, each of which looks at the sender first. */
export function openBridge(ipcMain: IpcMain, bridge: Bridge): void {
  ipcMain.handle("ask", (event: IpcMainInvokeEvent, question: unknown, input: unknown) => answer(bridge, event.senderFrame, question, input));
  ipcMain.handle("files.dropped", (event: IpcMainInvokeEvent, paths: unknown) => dropped(bridge, event.senderFrame, paths));
}

/**
 * Answers one question of the window. Whoever is not the top frame of our own pages gets an exception, since our own
 * pages never cause it; a question that the contract does not know, or a file never chosen, is `contract.invalid`.
 * The rest of the input is checked by the engine against the contract's schema, as it is for every other asker.
 */
export async function answer(bridge: Bridge, sender: Sender, question: unknown, input: unknown): Promise<Result<unknown>> {
  refuseStrangers(sender);
  if (!isMethodName(question) || isInner(question)) return err(ledgerError("contract.invalid", { question: nameOf(question), path: "" }));
  if (question === "files.choose") {
    const choice = methods[question].input.safeParse(input);
    if (!choice.success) return err(ledgerError("contract.invalid", { question, path: choice.error.issues[0]?.path.join(".") ?? "" }));
    return ok(await bridge.choose(choice.data));
  }
  if (question === "connect.profiles") return ok({ profiles: awsProfiles() });
  if (question === "connect.pull" || question === "connect.cancel") {
    const order = methods[question].input.safeParse(input);
    if (!order.success || bridge.pull === undefined) return err(ledgerError("contract.invalid", { question, path: order.success ? "" : (order.error.issues[0]?.path.join(".") ?? "") }));
    return bridge.pull(question === "connect.pull" ? (order.data as MethodInput<"connect.pull">) : null);
  }
  const asked = withPaths(bridge.tokens, question, input);
  if (asked === null) return err(ledgerError("contract.invalid", { question, path: "file" }));
  const answered = (await pdfOf(bridge, question, asked.input)) ?? (await bridge.ask(question, await withStatement(bridge, question, asked.input)));
  return answered.ok ? ok(withoutPaths(question, answered.value)) : answered;
}

/** The answer to a wish for a PDF; null for every other question, and for one that the contract does not know. */
async function pdfOf(bridge: Bridge, question: MethodName, input: unknown): Promise<Result<unknown> | null> {
  if (question !== "report.export" || bridge.exportPdf === undefined) return null;
  const wanted = methods[question].input.safeParse(input);
  return wanted.success && wanted.data.as === "pdf" ? await bridge.exportPdf(wanted.data) : null;
}

/** An ESG pack gets its statement here: what the window hands in as one is not taken. */
async function withStatement(bridge: Bridge, question: MethodName, input: unknown): Promise<unknown> {
  if (question !== "esg.export") return input;
  const wanted = methods[question].input.safeParse(input);
  return wanted.success ? { ...wanted.data, statement: bridge.drawStatement === undefined ? null : await bridge.drawStatement(wanted.data) } : input;
}

export function dropped(bridge: Bridge, sender: Sender, paths: unknown): readonly FileToken[] {
  refuseStrangers(sender);
  const files = droppedFiles(bridge.tokens, paths);
  if (files === null) throw new TypeError("files.dropped takes a list of absolute paths");
  return files;
}

function refuseStrangers(sender: Sender): void {
  if (sender === null || sender.parent !== null || !isOurs(sender.url)) throw new Error("refused: not a page of this app");
}

function isMethodName(question: unknown): question is MethodName {
  return typeof question === "string" && (methodNames as readonly string[]).includes(question);
}

function isInner(question: MethodName): boolean {
  return (innerMethodNames as readonly MethodName[]).includes(question);
}

function nameOf(question: unknown): string {
  return typeof question === "string" ? question.slice(0, 80) : typeof question;
}
