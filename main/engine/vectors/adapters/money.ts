import { convert } from "../../../../shared/domain/exchange.ts";
import { displayRound, formatFixed, multiply, parseAmount, sumAttos, type AmountFormat } from "../../../../shared/domain/money.ts";
import { asDecimal, asList, asWhole, decimalAt, isAbsent, listAt, numberAt, numberOr, rowsAt, textAt, textOr, type Adapter } from "../fields.ts";

/** Model i, at the scale of the vectors: whole nano-units. */
export const moneyAdapters: Readonly<Record<string, Adapter>> = {
  parse_money: (input) => {
    const parsed = parseAmount(textAt(input, "text"), { scale: 9, format: textOr(input, "format", "plain") as AmountFormat });
    return parsed === null ? { ok: false, nano: null, rounded: null } : { ok: true, nano: String(parsed.value), rounded: parsed.rounded };
  },
  mul_money: (input) => ({ nano: String(multiply(decimalAt(input, "quantity"), decimalAt(input, "unit_price"), 9)) }),
  sum_money: (input) => {
    const total = sumAttos(
      listAt(input, "nano").map((entry) => {
        const [amount, count] = Array.isArray(entry) ? asList(entry) : [entry, 1];
        return asWhole(amount) * asWhole(count);
      }),
    );
    const magnitude = total < 0n ? -total : total;
    return { total_nano: String(total), fits_int64: BigInt.asIntN(64, total) === total, safe_in_js_number: magnitude <= BigInt(Number.MAX_SAFE_INTEGER) };
  },
  fx_convert: (input) => {
    const amounts = rowsAt(input, "rows").map((row) => ({ currency: textAt(row, "currency"), date: textAt(row, "date"), amount: asWhole(row["nano"]) }));
    const rates = rowsAt(input, "rates").map((row) => ({ base: textAt(row, "base"), quote: textAt(row, "quote"), date: textAt(row, "date"), rate: asDecimal(row["rate"]) }));
    const { parts, total, missing } = convert(amounts, textAt(input, "target"), rates, {
      pivot: textOr(input, "pivot", null),
      ...(isAbsent(input, "max_age_days") ? {} : { maximumAgeDays: numberOr(input, "max_age_days", 7) }),
    });
    return {
      parts: Object.fromEntries(parts.map(({ currency, date, amount }) => [`${currency} ${date}`, String(amount)])),
      total_nano: String(total),
      missing: missing.map(({ currency, date }) => [currency, date]),
    };
  },
  display_round: (input) => {
    const minorDigits = numberAt(input, "minor_digits");
    const amounts = rowsAt(input, "rows").map((row) => ({ id: textAt(row, "id"), amount: asWhole(row["nano"]) }));
    const { rows, totalMinorUnits } = displayRound(amounts, minorDigits, 9);
    return {
      rows: Object.fromEntries(rows.map(({ id, minorUnits }) => [id, formatFixed(minorUnits, minorDigits)])),
      total: formatFixed(totalMinorUnits, minorDigits),
    };
  },
};
