import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** This computer is a month behind. */
const cause: Cause = (world) => troubleOfPull(world, { told: { error: "InvalidSignatureException", message: "Signature expired: 20260901T000000Z is now earlier than 20261001T000000Z" } });

export default cause;
