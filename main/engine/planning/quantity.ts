import { GIGABYTES_PER_GIBIBYTE, type CalculatorField, type FieldKind } from "../../../shared/contract/calculators.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { compare, decimal, divide, multiply, parseDecimal, toDecimal, whole, type Rational } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";

/**
 * Reads a quantity as a person types it, exactly: `7B`, `80 GiB`, `40 %`, `1e9`, `1,234.5`. A comma is a separator of thousands where it
 * stands so, and nothing else: `0,9` is refused, not guessed. Memory comes out in GB, percent as a share.
 *
 * errors  calculator.not-a-number, calculator.out-of-range, calculator.not-positive
 */
export function readQuantity(field: CalculatorField, typed: string): Result<Rational> {
  const value = quantityOf(field.kind, typed);
  if (value === null) return err(ledgerError("calculator.not-a-number", { field: field.id, value: typed, example: examples[field.kind] }));
  const shown = (limit: string): string => (field.kind === "percent" ? `${toDecimal(multiply(decimal(limit), HUNDRED))} %` : toDecimal(decimal(limit)));
  const to = field.to ?? "1e18";
  if (field.over !== undefined && !(compare(value, decimal(field.over)) > 0)) return err(ledgerError("calculator.not-positive", { field: field.id, value: typed }));
  if ((field.from !== undefined && compare(value, decimal(field.from)) < 0) || compare(value, decimal(to)) > 0) {
    return err(ledgerError("calculator.out-of-range", { field: field.id, value: typed, from: shown(field.from ?? field.over ?? "0"), to: shown(to) }));
  }
  return ok(value);
}

function quantityOf(kind: FieldKind, typed: string): Rational | null {
  const [, number = "", unit = ""] = /^([+-]?[\d.,_\s]*\d\.?(?:[eE][+-]?\d{1,3})?)\s*(.*)$/.exec(typed.trim()) ?? [];
  const value = parseDecimal(withoutThousands(number.replaceAll(/[_\s]/g, "")));
  if (value === null) return null;
  const factor = unit === "" ? ONE_OF[kind] : factors[kind]?.[unit.toLowerCase()];
  if (factor === undefined) return null;
  const quantity = multiply(value, factor);
  return kind === "whole" && quantity.denominator !== 1n ? null : quantity;
}

/** The number without separators of thousands; as it is where commas do not stand for them, so that it is refused. */
function withoutThousands(text: string): string {
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
}

const HUNDRED = whole(100);
const UNIT = whole(1);
const PERCENT = divide(UNIT, HUNDRED);
const power = (exponent: number): Rational => whole(10n ** BigInt(exponent));

/** What a number without a unit is. */
const ONE_OF: Readonly<Record<FieldKind, Rational>> = {
  memory: UNIT, count: UNIT, percent: PERCENT, amount: UNIT, number: UNIT, whole: UNIT, choice: UNIT, model: UNIT, profile: UNIT, machine: UNIT, file: UNIT,
};

const factors: Partial<Readonly<Record<FieldKind, Readonly<Record<string, Rational>>>>> = {
  memory: {
    mb: divide(UNIT, whole(1000)), gb: UNIT, g: UNIT, tb: whole(1000), mib: divide(GIGABYTES_PER_GIBIBYTE, whole(1024)), gib: GIGABYTES_PER_GIBIBYTE, tib: multiply(GIGABYTES_PER_GIBIBYTE, whole(1024)),
  },
  count: { k: power(3), m: power(6), b: power(9), g: power(9), t: power(12), "万": power(4), "亿": power(8), "万亿": power(12) },
  percent: { "%": PERCENT, "％": PERCENT },
};

const examples: Readonly<Record<FieldKind, string>> = {
  memory: "80, 80 GB, 74.5 GiB", count: "7B, 2T, 1e9", percent: "40, 40 %", amount: "2.5", number: "2.5", whole: "8", choice: "", model: "", profile: "", machine: "", file: "",
};
