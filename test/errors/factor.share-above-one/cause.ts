import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, file }) =>
  errorOf(
    await engine.ask("factors.import", {
      file: file("contracts.csv", "kind,provider,region,value,unit,share,year,source\ncontract,AWS,us-east-1,0,g/kWh,70%,2026,wind\ncontract,AWS,us-east-1,0,g/kWh,0.4,2026,sun\n"),
      isPreview: false, restate: false, by: null,
    }),
  );

export default cause;
