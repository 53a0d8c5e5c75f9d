import { servingCost } from "../../metrics/model/work-per-dollar.ts";
import { compare, multiply, ONE, ratio, whole } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { fromAll, line, moneyParam, ratioParam, said, valueOf, type Calculator } from "./given.ts";

const full = ["price", "tokens-per-second"] as const;
const loaded = [...full, "load"] as const;
const MILLION = whole(1_000_000);

/** Cost per million tokens: as if never idle, and as it is paid; beside a price per token (model e.4). */
export const serving: Calculator = {
  id: "serving",
  work: (given) => {
    const api = valueOf(given, "api-price");
    const usage = fromAll(given, full, (of) => servingCost({ priceHourly: of.price, unitsPerSecond: of["tokens-per-second"], loadFactor: ONE, per: MILLION }).usageBased);
    const cost = fromAll(given, loaded, (of) => servingCost({ priceHourly: of.price, unitsPerSecond: of["tokens-per-second"], loadFactor: of.load, per: MILLION }));
    const paid = cost?.allocationBased ?? null;
    const load = valueOf(given, "load");
    const breakEven = usage === null || api === null ? null : ratio(usage, api);
    const tokens = fromAll(given, ["tokens-per-second", "load"], (of) => multiply(multiply(of["tokens-per-second"], of.load), whole(3600 * 730)));
    return ok({
      lines: [
        line(given, "allocation-based", paid, "rate", { isMain: true, needs: loaded, why: "no-useful-hours" }),
        line(given, "usage-based", usage, "rate", { needs: full }),
        line(given, "tokens-month", tokens, "count", { needs: ["tokens-per-second", "load"] }),
        line(given, "break-even-load", breakEven, "ratio", { needs: [...full, "api-price"] }),
      ],
      notes: [
        ...(load !== null && load.numerator === 0n ? [said("calc.serving.note.no-traffic")] : []),
        ...(breakEven !== null && compare(breakEven, ONE) > 0 ? [said("calc.serving.note.never")] : []),
        ...(paid !== null && api !== null && breakEven !== null && compare(breakEven, ONE) <= 0
          ? [said(compare(paid, api) > 0 ? "calc.serving.note.buy" : "calc.serving.note.own", { own: moneyParam(paid, given), api: moneyParam(api, given), load: ratioParam(breakEven) })]
          : []),
      ],
    });
  },
};
