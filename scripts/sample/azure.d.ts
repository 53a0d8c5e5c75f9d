/** Azure: a FOCUS 1.0 export a month, day by day, with the deviations that Azure's exports are known for. */
import { type Bill } from "./bill.ts";
export declare function azureBills(): Bill[];
