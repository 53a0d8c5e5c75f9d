import { createPuller } from "../../main/connect/puller.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { connectionWith, startLocalAws, type Told } from "../main/connect/local-aws.ts";
import { errorOf, type World } from "./world.ts";

interface How {
  /** What AWS says to every question. */
  readonly told?: Told;
  readonly profile?: string | null;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly mostRequests?: number;
}

/** The trouble that ends a pull of September 2026, asked in October of the AWS on this computer (test/main/connect/local-aws.ts). */
export async function troubleOfPull({ another, ledger, engine }: World, { told, profile = null, environment = {}, mostRequests = 20 }: How): Promise<LedgerError> {
  await engine.close();
  const asking = another({ now: () => new Date("2026-10-05T12:00:00Z") });
  await asking.ask("ledger.open", { file: ledger, create: false });
  const aws = await startLocalAws();
  if (told !== undefined) aws.tell("GetCostAndUsage", () => told);
  const pull = createPuller({ ask: (name, input) => asking.ask(name, input), connect: () => connectionWith({ ...aws.environment, ...environment }), progress: () => undefined, reference: () => "test", wait: () => Promise.resolve() });
  try {
    const pulled = await pull({ period: "2026-09", profile, parts: ["costs"], isRefresh: false, mostRequests });
    if (!pulled.ok) return errorOf(pulled);
    if (pulled.value === null || pulled.value.error === null) throw new Error("the pull went well");
    return pulled.value.error;
  } finally {
    await aws.close();
  }
}
