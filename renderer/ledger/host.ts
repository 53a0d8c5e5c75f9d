import type { EventName, LedgerEvent } from "../../shared/contract/events.ts";
import type { Bridge } from "./client.ts";

/**
 * The contract over loopback, for tests and development in a plain browser.
 * `POST /ask` takes and gives JSON in which a bigint is `{"$bigint": "123"}`; `GET /events` is a stream of `{name, payload}`;
 * `POST /dropped?name=…` takes a file's bytes and gives its token.
 */
export function hostBridge(): Bridge {
  const hearers = new Map<EventName, Set<(payload: unknown) => void>>();
  let stream: EventSource | null = null;
  const listen = (): void => {
    stream ??= new EventSource("/events");
    stream.onmessage = (message: MessageEvent<string>) => {
      const { name, payload } = fromText(message.data) as LedgerEvent;
      for (const hear of hearers.get(name) ?? []) hear(payload);
    };
  };
  return {
    async ask(name, input) {
      const response = await fetch("/ask", { method: "POST", headers: { "content-type": "application/json" }, body: toText({ name, input }) });
      if (!response.ok) throw new Error(`the host answered ${response.status}`);
      return fromText(await response.text());
    },
    on(name, hear) {
      listen();
      const known = hearers.get(name) ?? new Set();
      hearers.set(name, known.add(hear));
      return () => void known.delete(hear);
    },
    dropped: (files) =>
      Promise.all(
        files.map(async (file) => {
          const response = await fetch(`/dropped?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
          return fromText(await response.text());
        }),
      ),
  };
}

export function toText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? { $bigint: part.toString() } : part));
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => (isBigintText(part) ? BigInt(part.$bigint) : part));
}

function isBigintText(part: unknown): part is { readonly $bigint: string } {
  return typeof part === "object" && part !== null && "$bigint" in part && typeof part.$bigint === "string";
}
