/** Google Cloud: a FOCUS 1.2 export a month, hour by hour. */
import { type Bill } from "./bill.ts";
export declare function googleBills(): Bill[];
