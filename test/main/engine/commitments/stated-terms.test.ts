import { describe, expect, it } from "vitest";
import { statedTerm } from "../../../../main/engine/commitments/stated-terms.ts";

const rowOf = (cells: Readonly<Record<string, string | null>>) => ({ columns: Object.keys(cells), rows: [{ file: "bill.csv", line: 7, batch: 1, values: Object.values(cells) }] });

describe("a term that the bill states", () => {
  it("is read from a reservation of a Cost and Usage Report, in either spelling", () => {
    const want = { startsOn: "2025-08-14", endsOn: "2026-08-14", termMonths: 12, payment: "partial-upfront", isConvertible: true, file: "bill.csv", line: 7 };
    expect(statedTerm(rowOf({ "lineItem/LineItemType": "RIFee", "reservation/StartTime": "2025-08-14T09:30:00.000Z", "reservation/EndTime": "2026-08-14T09:29:59.000Z", "pricing/LeaseContractLength": "1yr", "pricing/PurchaseOption": "Partial Upfront", "pricing/OfferingClass": "convertible" }))).toEqual(want);
    expect(statedTerm(rowOf({ reservation_start_time: "2025-08-14", reservation_end_time: "2026-08-14", pricing_lease_contract_length: "1 year", pricing_purchase_option: "Partial Upfront", pricing_offering_class: "Convertible" }))).toEqual(want);
  });

  it("ends with the day after when it ends in a day's last second", () => {
    expect(statedTerm(rowOf({ "savingsPlan/EndTime": "2028-06-30T23:59:59.000Z", "savingsPlan/PurchaseTerm": "3yr", "savingsPlan/PaymentOption": "No Upfront" }))).toMatchObject({ startsOn: null, endsOn: "2028-07-01", termMonths: 36, payment: "no-upfront", isConvertible: null });
  });

  it("is nothing where the bill says nothing, and null where it says what is no day", () => {
    expect(statedTerm(rowOf({ BilledCost: "1", "reservation/EndTime": null }))).toBeNull();
    expect(statedTerm(rowOf({ "reservation/EndTime": "soon", "pricing/LeaseContractLength": "one" }))).toMatchObject({ endsOn: null, termMonths: null });
  });
});
