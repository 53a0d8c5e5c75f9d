import type { Cause } from "../world.ts";
import { refusedSheet } from "../refused-sheet.ts";

const cause: Cause = (world) => refusedSheet(world, "prices.json", '{"Items": [{"armSkuName": "Standard_NC24ads_A100_v4", "retailPrice": 1');

export default cause;
