import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** One part of an export whose manifest lists two. */
const cause: Cause = ({ refusalOf, file }) => {
  file("manifest.json", JSON.stringify({ blobs: [{ blobName: "run/part_0_0001.csv" }, { blobName: "run/part_1_0001.csv" }], exportConfig: { exportName: "focus", type: "FocusCost" }, runInfo: { runId: "1", startDate: "2026-09-01", endDate: "2026-09-30" } }));
  return refusalOf(file("part_0_0001.csv", focusBill([{ day: "2026-09-01", cost: "1" }])));
};

export default cause;
