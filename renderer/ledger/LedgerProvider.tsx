import { createContext, useContext, useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { EventName, EventPayloads } from "../../shared/contract/events.ts";
import type { LedgerClient } from "./client.ts";

interface LedgerHere {
  readonly client: LedgerClient;
  /** Part of every question's key: a new one asks every open question again. */
  readonly revision: string;
  /** Another ledger was opened, or this one closed. */
  readonly opened: () => void;
}

const LedgerContext = createContext<LedgerHere | null>(null);

/** Hands the client to the page and keeps the revision of the ledger, as `ledger.changed` tells it. */
export function LedgerProvider({ client, queries, children }: { readonly client: LedgerClient; readonly queries?: QueryClient; readonly children: ReactNode }) {
  const [ownQueries] = useState(() => queries ?? createQueries());
  const [place, setPlace] = useState({ opening: 0, revision: 0 });
  useEffect(() => {
    const off = [
      client.on("ledger.changed", ({ revision }) => setPlace(({ opening }) => ({ opening, revision }))),
      client.on("engine.restarted", () => setPlace(({ opening, revision }) => ({ opening: opening + 1, revision }))),
    ];
    return () => off.forEach((stop) => stop());
  }, [client]);
  const here = useMemo<LedgerHere>(
    () => ({ client, revision: `${place.opening}.${place.revision}`, opened: () => setPlace(({ opening }) => ({ opening: opening + 1, revision: 0 })) }),
    [client, place],
  );
  return (
    <QueryClientProvider client={ownQueries}>
      <LedgerContext value={here}>{children}</LedgerContext>
    </QueryClientProvider>
  );
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // An answer is true for its revision; nothing else makes it old. The engine is on this computer: no retries, no refocusing.
      queries: { staleTime: Number.POSITIVE_INFINITY, gcTime: 10 * 60_000, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

export function useLedger(): LedgerHere {
  const here = useContext(LedgerContext);
  if (here === null) throw new Error("useLedger outside of LedgerProvider");
  return here;
}

/** Calls `hear` with each payload of one event while the component is there. */
export function useLedgerEvent<N extends EventName>(name: N, hear: (payload: EventPayloads[N]) => void): void {
  const { client } = useLedger();
  useEffect(() => client.on(name, hear), [client, name, hear]);
}
