import type { Cause } from "../world.ts";

/** A mapping file in which nobody has said whose bill it is. */
const cause: Cause = ({ refusalOf, file }) =>
  refusalOf(file("rental.csv", "day,cost\n2026-09-01,1.50\n"), {
    mappings: [{
      name: "rental", header: ["day", "cost"], columns: { start: "day", billed: "cost" }, constants: { currency: "USD" }, zoneMinutes: 0, dateOrder: null, startIs: "instant", endIs: "last-day", decimalMark: ".", isGrouped: false,
      quantityIs: null, hoursFromPeriod: false, emptyWords: [],
    }],
  });

export default cause;
