import { errorOf, type Cause } from "../world.ts";

const report = `{"value":[{"dataType":"OverallSummaryData","latestMonthEmissions":12}]}`;
const cause: Cause = async ({ engine, file }) => errorOf(await engine.ask("provider-emissions.preview", { file: file("emissions.json", report) }));

export default cause;
