import type { FileSurvey } from "../format.ts";
import { dateOrders } from "./date-order.ts";

const CHARGE_TYPE = 0;
const PRICING_MODEL = 1;
const COST = 2;
const UNIT = 3;
const QUANTITY = 4;
const FIRST_DATE = 5;

/**
 * What only a whole Azure export tells:
 *
 * dateOrder       a first number above 12 in any date column is a day, a second one makes the first a month. Where nothing settles it, the
 *                 families with charge types are read month first, which is how Azure writes them for every tenant; that is counted.
 * dataset         `amortized`: rows of unused commitments, or usage under a commitment that costs something; `actual`: a commitment bought, or
 *                 usage under one that costs nothing. Without a commitment the two say the same, and nothing is stated. Both kinds of
 *                 rows together are two files in one, which repeat each other: refused.
 * hourQuantities  `hours` where a quantity in units of several hours is too large to count blocks of a day (more than 24 of them would be
 *                 10 days), so that it counts hours; not stated where both readings fit.
 */
export const azureSurvey: FileSurvey = {
  columns: [
    ["ChargeType"],
    ["PricingModel"],
    ["CostInBillingCurrency", "Cost", "PreTaxCost"],
    ["UnitOfMeasure"],
    ["Quantity", "UsageQuantity", "ConsumedQuantity"],
    ["Date", "UsageDateTime", "UsageDate"],
    ["BillingPeriodStartDate", "BillingPeriodStart"],
    ["BillingPeriodEndDate", "BillingPeriodEnd"],
    ["servicePeriodStartDate"],
    ["servicePeriodEndDate"],
    ["exchangeRateDate"],
  ],
  begin(columns) {
    const hasChargeTypes = columns.has("chargetype");
    const orders = dateOrders();
    let isAmortized = false;
    let buys = false;
    let isCovered = false;
    let countsHours = false;
    return {
      row(texts) {
        for (let index = FIRST_DATE; index < texts.length; index += 1) orders.look(texts[index] ?? null, index === FIRST_DATE);
        const type = (texts[CHARGE_TYPE] ?? "").toLowerCase().replace(/[^a-z]/g, "");
        const isCommitted = /^(?:reservation|savings ?plan)$/i.test(texts[PRICING_MODEL] ?? "");
        const costs = /[1-9]/.test((texts[COST] ?? "").replace(/e.*$/i, ""));
        isAmortized ||= type === "unusedreservation" || type === "unusedsavingsplan" || (isCommitted && costs && type === "usage");
        if (isCommitted && costs && (type === "purchase" || type === "refund")) buys = true;
        if (isCommitted && !costs && type === "usage") isCovered = true;
        const block = /^(\d+)\s*(?:hours?|hrs?)$/i.exec(texts[UNIT] ?? "")?.[1];
        if (block !== undefined && Number(block) > 1 && Number(texts[QUANTITY] ?? 0) * Number(block) > 24 && Number(texts[QUANTITY]) <= 24) countsHours = true;
        // Two datasets in one file are only found at its end.
        return true;
      },
      finish() {
        if (isAmortized && buys) return { trouble: "datasets-mixed", datasets: "ActualCost, AmortizedCost" };
        const { order, undecided, isMixed } = orders.found();
        if (isMixed || (undecided !== null && !hasChargeTypes)) return { trouble: "dates-ambiguous", column: "Date", value: undecided ?? "" };
        return {
          facts: {
            dateOrder: order ?? "month-first",
            ...(isAmortized ? { dataset: "amortized" } : buys || isCovered ? { dataset: "actual" } : {}),
            ...(countsHours ? { hourQuantities: "hours" } : {}),
          },
          assumed: undecided === null ? [] : ["date-order-assumed"],
        };
      },
    };
  },
};
