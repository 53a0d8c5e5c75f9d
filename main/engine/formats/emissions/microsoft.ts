import { microgramsOf, monthIn, type EmissionsFormat } from "./format.ts";

/**
 * Azure emissions of a billing account, the entity EnrollmentEmission behind the Emissions Impact Dashboard (Microsoft Cloud for
 * Sustainability API, "OData query examples"): one row a subscription, service, region and scope a month, in mtCO2e. Microsoft counts what
 * it buys of renewable energy, so its scope 2 is market-based; it states no location-based figure.
 */
export const microsoft: EmissionsFormat = {
  id: "microsoft-cloud-emissions",
  provider: "azure",
  required: [["dateKey"], ["subscriptionId"], ["scope", "scopeId"], ["totalEmissions"]],
  read(cell) {
    const stated = cell("dateKey");
    const month = monthIn(stated);
    if (month === null) return { trouble: { column: "dateKey", value: stated ?? "", expected: "month" } };
    const text = cell("totalEmissions");
    const amount = microgramsOf(text, 10n ** 12n);
    if (typeof amount === "string") return { trouble: { column: "totalEmissions", value: text ?? "", expected: amount } };
    const named = cell("scope") ?? cell("scopeId") ?? "";
    const scope = /[123]/.exec(named)?.[0];
    if (scope === undefined) return { trouble: { column: "scope", value: named, expected: "scope" } };
    return {
      row: {
        month,
        payerId: cell("enrollmentId"),
        accountId: cell("subscriptionId"),
        serviceName: cell("azureServiceName"),
        regionId: cell("azureRegionName"),
        location: null,
        market: amount,
        scope1: scope === "1" ? amount : null,
        scope2Location: null,
        scope2Market: scope === "2" ? amount : null,
        scope3: scope === "3" ? amount : null,
        modelVersion: null,
        refreshedAt: null,
      },
    };
  },
};

/**
 * Azure carbon optimization, the answer of its emissions report by month ("Use the API to export Carbon optimization in Azure emissions
 * data", MonthlySummaryData and TopItemsMonthlySummaryData), in kgCO2e. The other reports state no month, so nothing can hold them
 * against a period: they are set aside.
 */
export const azureCarbonOptimization: EmissionsFormat = {
  id: "azure-carbon-optimization",
  provider: "azure",
  required: [["dataType"], ["latestMonthEmissions"]],
  read(cell) {
    const stated = cell("date");
    const month = monthIn(stated);
    if (month === null) return { trouble: { column: "date", value: stated ?? "", expected: "month" } };
    const text = cell("latestMonthEmissions");
    const amount = microgramsOf(text, 10n ** 9n);
    if (typeof amount === "string") return { trouble: { column: "latestMonthEmissions", value: text ?? "", expected: amount } };
    const item = cell("itemName");
    const category = cell("categoryType")?.toLowerCase() ?? null;
    return {
      row: {
        month,
        payerId: null,
        accountId: category === "subscription" ? item : cell("subscriptionId"),
        serviceName: category === "resourcetype" ? item : null,
        regionId: category === "location" ? item : cell("location"),
        location: null,
        market: amount,
        scope1: null,
        scope2Location: null,
        scope2Market: null,
        scope3: null,
        modelVersion: null,
        refreshedAt: null,
      },
    };
  },
};
