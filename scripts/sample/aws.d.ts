/** AWS: a Cost and Usage Report (legacy) a month, hour by hour. */
import { type Bill } from "./bill.ts";
export declare function awsBills(): Bill[];
