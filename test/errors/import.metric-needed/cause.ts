import type { Cause } from "../world.ts";

/** A panel of Grafana whose legend names the GPU, but not what is measured. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("panel.csv", '"Time","{gpu=""0"", Hostname=""node-1""}"\n2026-09-01 00:00:00,12\n2026-09-01 00:01:00,15\n'), { timezone: "UTC" });

export default cause;
