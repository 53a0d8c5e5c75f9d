import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, file }) => errorOf(await engine.ask("provider-emissions.preview", { file: file("footprint.csv", "month,tonnes\n2026-09,12\n") }));

export default cause;
