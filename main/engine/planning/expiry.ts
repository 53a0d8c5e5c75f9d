/** Days before its end at which a commitment is looked at again (model a.7). */
export const renewalChecks = [90, 60, 30, 7] as const;

export interface ExpiryState {
  /** Whole days from the day asked about to the end; below 0 once it has ended. */
  readonly daysLeft: number;
  /** The days on which it is to be looked at, first to last, as days since 1970. */
  readonly checks: readonly { readonly daysBefore: (typeof renewalChecks)[number]; readonly day: number; readonly isPast: boolean }[];
  /** The narrowest window it is in: 90, 60, 30 or 7; null if it is further off, or over. */
  readonly window: (typeof renewalChecks)[number] | null;
}

/** Where a commitment stands that ends at the start of `endDay`, seen from `today`; days since 1970-01-01 UTC. */
export function expiryState(endDay: number, today: number): ExpiryState {
  const daysLeft = endDay - today;
  const reached = renewalChecks.filter((days) => daysLeft >= 0 && daysLeft <= days);
  return {
    daysLeft,
    checks: renewalChecks.map((daysBefore) => ({ daysBefore, day: endDay - daysBefore, isPast: endDay - daysBefore < today })),
    window: reached.at(-1) ?? null,
  };
}
