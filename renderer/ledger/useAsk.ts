import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodOutput } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { Result } from "../../shared/result.ts";
import { err } from "../../shared/result.ts";
import type { LedgerClient, Question } from "./client.ts";
import { useLedger } from "./LedgerProvider.tsx";

/** The four states of a question. An answer of the revision before stays while the new one is on its way (`isOld`). */
export type Asked<T> =
  | { readonly state: "asking" }
  | { readonly state: "refused"; readonly error: LedgerError; readonly again: () => void }
  | { readonly state: "answered"; readonly value: T; readonly isOld: boolean };

/** Asks one question of the contract and keeps its answer under [question, input, revision]. A null input asks nothing. */
export function useAsk<N extends MethodName>(name: N, input: Question<N> | null): Asked<MethodOutput<N>> {
  const { client, revision } = useLedger();
  const { data, isPlaceholderData, refetch } = useQuery({
    queryKey: [name, input, revision],
    queryFn: async (): Promise<{ readonly result: Result<MethodOutput<N>> }> => ({ result: input === null ? await new Promise<never>(() => undefined) : await asked(client, name, input) }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
  });
  if (data === undefined || input === null) return { state: "asking" };
  if (!data.result.ok) return { state: "refused", error: data.result.error, again: () => void refetch() };
  return { state: "answered", value: data.result.value, isOld: isPlaceholderData };
}

/** A question that changes something: `tell(input)` gives its result. */
export function useTell<N extends MethodName>(name: N): { readonly tell: (input: Question<N>) => Promise<Result<MethodOutput<N>>>; readonly isBusy: boolean; readonly error: LedgerError | null; readonly clear: () => void } {
  const { client } = useLedger();
  const { mutateAsync, isPending, data, reset } = useMutation({ mutationFn: (input: Question<N>) => asked(client, name, input) });
  return { tell: mutateAsync, isBusy: isPending, error: data === undefined || data.ok ? null : data.error, clear: reset };
}

/** A carrier that breaks is a fault like any other: told in words, never a blank screen. */
export async function asked<N extends MethodName>(client: LedgerClient, name: N, input: Question<N>): Promise<Result<MethodOutput<N>>> {
  try {
    return await client.ask(name, input);
  } catch {
    return err(ledgerError("app.fault", { reference: name }));
  }
}
