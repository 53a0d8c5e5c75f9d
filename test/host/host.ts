/**
 * Serves the window's pages and the contract over loopback, for tests and development in a plain browser; the app has no such door.
 * Files cross as tokens, as they do in the app, and answers are cut to names in the same way.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createFileTokens, withPaths, withoutPaths, type FileToken } from "../../main/app/files.ts";
import { page, pagesOrigin } from "../../main/app/protocol.ts";
import type { Engine } from "../../main/engine/serve.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { LedgerEvent } from "../../shared/contract/events.ts";
import type { MethodInput } from "../../shared/contract/methods.ts";
import { methodNames, type MethodName } from "../../shared/contract/names.ts";
import { err, ok, type Result } from "../../shared/result.ts";

export interface HostOptions {
  /** Makes the engine whose events the host passes on. */
  readonly engine: (emit: (event: LedgerEvent) => void) => Engine;
  /** The built pages, dist/renderer. */
  readonly rendererFolder: string;
  /** Stands for the system's dialogs: the paths that a person would choose. */
  readonly choose?: (choice: MethodInput<"files.choose">) => readonly string[];
}

export interface Host {
  /** http://127.0.0.1:PORT/index.html */
  readonly url: string;
  readonly engine: Engine;
  /** A token for a path, as if it had been chosen. */
  token(path: string): FileToken;
  close(): Promise<void>;
}

const MOST_BYTES = 256 * 1024 * 1024;

export async function startHost({ engine: createEngine, rendererFolder, choose = () => [] }: HostOptions): Promise<Host> {
  const listeners = new Set<ServerResponse>();
  const engine = createEngine((event) => {
    for (const listener of listeners) listener.write(`data: ${toText(event)}\n\n`);
  });
  const tokens = createFileTokens(randomUUID);
  const dropFolder = mkdtempSync(join(tmpdir(), "gpu-ledger-dropped-"));

  const server = createServer((request, response) => {
    handle(request, response).catch((fault: unknown) => response.writeHead(500).end(String(fault)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Another site's page that found the port, by its address or by a name that leads here, gets nothing.
    const isOurs = request.headers.host === `127.0.0.1:${port}` && (request.headers.origin === undefined || request.headers.origin === origin);
    const address = new URL(request.url ?? "/", origin);
    if (!isOurs) response.writeHead(403).end();
    else if (request.method === "POST" && address.pathname === "/ask") {
      const { name, input } = fromText((await bodyOf(request)).toString("utf8")) as { readonly name: unknown; readonly input: unknown };
      json(response, await ask(name, input));
    } else if (request.method === "POST" && address.pathname === "/dropped") {
      const path = join(dropFolder, basename(address.searchParams.get("name") ?? "dropped"));
      writeFileSync(path, await bodyOf(request));
      json(response, tokens.give(path));
    } else if (request.method === "GET" && address.pathname === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": here\n\n");
      listeners.add(response);
      request.on("close", () => listeners.delete(response));
    } else {
      const served = await page(rendererFolder, { method: request.method ?? "GET", url: `${pagesOrigin}${address.pathname === "/" ? "/index.html" : address.pathname}` });
      response.writeHead(served.status, Object.fromEntries(served.headers)).end(Buffer.from(await served.arrayBuffer()));
    }
  }

  async function ask(name: unknown, input: unknown): Promise<Result<unknown>> {
    if (!isMethodName(name)) return err(ledgerError("contract.invalid", { question: String(name).slice(0, 80), path: "" }));
    if (name === "files.choose") return ok(choose(input as MethodInput<"files.choose">).map((path) => tokens.give(path)));
    if (name === "connect.profiles") return ok({ profiles: [] });
    if (name === "connect.pull" || name === "connect.cancel") return err(ledgerError("connect.no-login", { profile: "default" }));
    const asked = withPaths(tokens, name, input);
    if (asked === null) return err(ledgerError("contract.invalid", { question: name, path: "file" }));
    const answered = await engine.ask(name, asked.input);
    return answered.ok ? ok(withoutPaths(name, answered.value)) : answered;
  }

  return {
    url: `${origin}/index.html`,
    engine,
    token: (path) => tokens.give(path),
    async close() {
      for (const listener of listeners) listener.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
}

function isMethodName(name: unknown): name is MethodName {
  return typeof name === "string" && (methodNames as readonly string[]).includes(name);
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }).end(toText(value));
}

/** JSON has no bigint: `{"$bigint": "123"}` stands for one. */
export function toText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? { $bigint: part.toString() } : part));
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) =>
    typeof part === "object" && part !== null && "$bigint" in part && typeof part.$bigint === "string" ? BigInt(part.$bigint) : part,
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > MOST_BYTES) throw new Error("too much for a test");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
