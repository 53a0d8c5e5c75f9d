import type { CalculatorId } from "../../../../shared/contract/calculators.ts";
import { batch } from "./batch.ts";
import type { Calculator } from "./given.ts";
import { granularity } from "./granularity.ts";
import { host } from "./host.ts";
import { owned } from "./owned.ts";
import { path } from "./path.ts";
import { serverless } from "./serverless.ts";
import { serving } from "./serving.ts";
import { slice } from "./slice.ts";
import { spot } from "./spot.ts";
import { training } from "./training.ts";

export const calculators: Readonly<Record<CalculatorId, Calculator>> = { batch, training, serving, spot, granularity, serverless, owned, host, slice, path };
