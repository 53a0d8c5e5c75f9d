import type { Cause } from "../world.ts";
import { refusedSheet } from "../refused-sheet.ts";

const cause: Cause = (world) =>
  refusedSheet(world, "prices.json", JSON.stringify({ Items: [{ armSkuName: "Standard_D2s_v5", retailPrice: 0.1, unitPrice: 0.1, currencyCode: "USD", unitOfMeasure: "1 Hour", armRegionName: "eastus", serviceName: "Virtual Machines", effectiveStartDate: "2026-11-01" }] }));

export default cause;
