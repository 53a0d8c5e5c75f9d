import type { BillingFormat } from "./format.ts";

/** Every billing format, in the order in which they are asked. */
export const billingFormats: readonly BillingFormat[] = [];
