import type { ConnectCall } from "../../shared/contract/connect.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";

/** One request, as the process that holds the network is asked for it. */
export interface Request {
  /** Of ~/.aws/config; null: the environment's, or the default one. */
  readonly profile: string | null;
  readonly call: ConnectCall;
  readonly question: Readonly<Record<string, unknown>>;
  readonly nextToken: string | null;
}

/** One page, or why there is none. */
export type Reply =
  | { readonly answer: string; readonly nextToken: string | null }
  | {
      readonly trouble: LedgerError;
      /** `passing`: the same may be asked again after a while. `call`: this call alone is refused. `token`: the answer must be asked from its start. */
      readonly kind: "passing" | "call" | "token" | "nothing-there" | "final";
      /** It came to a request that AWS may count; a login that was not there sent none. */
      readonly isSent: boolean;
    };

/** The process that holds the network, from outside. It is started for one pull and ended with it. */
export interface Connection {
  /** Asks for one page. Rejects when the process died. */
  send(request: Request): Promise<Reply>;
  end(): void;
}
