import type { Cause } from "../world.ts";

/** The list of counters that an exporter is set up with. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("counters.csv", "DCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz).\nDCGM_FI_DEV_GPU_UTIL, gauge, GPU utilization (in %).\n"));

export default cause;
