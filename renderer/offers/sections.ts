import type { ComponentType } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { PlainKey } from "../words/WordsProvider.tsx";
import { Calculators } from "../calculators/Calculators.tsx";
import { Vendors } from "../calculators/Vendors.tsx";
import { Benchmarks } from "./Benchmarks.tsx";
import { Find } from "./Find.tsx";
import { PriceBook } from "./PriceBook.tsx";

/** The parts of the Offers screen, in their order. Each is a whole page under the tabs, with its own sentence. */
export interface OffersSection {
  readonly id: string;
  readonly title: PlainKey;
  readonly Part: ComponentType<{ readonly status: LedgerStatus }>;
}

export const offersSections: readonly OffersSection[] = [
  { id: "find", title: "offers.tab.find", Part: Find },
  { id: "benchmarks", title: "offers.tab.benchmarks", Part: Benchmarks },
  { id: "prices", title: "offers.tab.prices", Part: PriceBook },
  { id: "calculators", title: "calc.title", Part: Calculators },
  { id: "vendors", title: "vendor.title", Part: Vendors },
];
