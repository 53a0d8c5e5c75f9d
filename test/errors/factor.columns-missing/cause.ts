import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, file }) => errorOf(await engine.ask("factors.import", { file: file("mix.csv", "kind,value\nresidual,450\n"), isPreview: true, restate: false, by: null }));

export default cause;
