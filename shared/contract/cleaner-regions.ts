/** Where the same machines would have emitted less, among the regions that meet the needs. */
import { z } from "zod";

export const regionNeeds = ["anywhere", "country"] as const;
export type RegionNeed = (typeof regionNeeds)[number];
export const regionNeedSchema = z.enum(regionNeeds);

export interface RegionChoice {
  readonly region: string;
  readonly country: string;
  /** PUE × grid factor, g CO2e for each kWh of IT energy, exact decimal text. */
  readonly gramsPerKwh: string;
  /** On-demand price an hour of the machine in the newest list, exact decimal text; null where no list has it. */
  readonly pricePerHour: string | null;
  readonly currency: string | null;
}
export interface CleanerRegion {
  readonly provider: string;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
  readonly gpuHours: number;
  readonly now: RegionChoice;
  /** null: no region that sells the machine, meets the needs and has a factor of the same boundary is cleaner, or none is known (`known` 0). */
  readonly best: RegionChoice | null;
  /** Regions that could be compared, the present one left out. */
  readonly known: number;
  /** Location-based, of the period: what was emitted, and what the same IT energy would have emitted there. */
  readonly nowMicrograms: bigint;
  readonly bestMicrograms: bigint | null;
}
export interface CleanerRegionsAnswer {
  readonly period: string;
  readonly need: RegionNeed;
  /** The largest saving first. */
  readonly lines: readonly CleanerRegion[];
}
