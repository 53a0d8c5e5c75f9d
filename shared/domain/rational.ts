/**
 * Exact fractions. Prices, shares and hours are decimals; what is compared at a tie or added up must not drift, so it is
 * kept as one whole number over another (model conventions: no floats where a comparison decides).
 */
export interface Rational {
  readonly numerator: bigint;
  /** Always above 0, and without a common factor with the numerator. */
  readonly denominator: bigint;
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n };
export const ONE: Rational = { numerator: 1n, denominator: 1n };

/** `numerator ÷ denominator` in lowest terms. A denominator of 0 is a bug of the caller, who decides what "undefined" means. */
export function rational(numerator: bigint, denominator: bigint = 1n): Rational {
  if (denominator === 0n) throw new RangeError("a fraction over zero");
  if (denominator === 1n) return { numerator, denominator };
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator, denominator) * sign;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export function whole(count: number | bigint): Rational {
  return { numerator: BigInt(count), denominator: 1n };
}

/** A plain or E-notation decimal as an exact fraction; null if the text is anything else, or has an exponent beyond ±400. */
export function parseDecimal(text: string): Rational | null {
  const match = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, digits = "", exponentText] = match;
  const exponent = exponentText === undefined ? 0 : Number(exponentText);
  if (Math.abs(exponent) > 400) return null;
  const point = digits.indexOf(".");
  const decimals = point === -1 ? 0 : digits.length - point - 1;
  const magnitude = BigInt(digits.replace(".", ""));
  const shift = exponent - decimals;
  const numerator = sign === "-" ? -magnitude : magnitude;
  return shift >= 0 ? whole(numerator * 10n ** BigInt(shift)) : rational(numerator, 10n ** BigInt(-shift));
}

/** `parseDecimal` for text that is known to be a decimal, such as a constant; anything else is a bug. */
export function decimal(text: string): Rational {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`not a decimal: ${text}`);
  return value;
}

/** The decimal a person would read in the number (0.57 is 57/100, not the double nearest to it). The number must be finite. */
export function fromNumber(value: number): Rational {
  return decimal(String(value));
}

export function add(a: Rational, b: Rational): Rational {
  if (a.denominator === b.denominator) return rational(a.numerator + b.numerator, a.denominator);
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b));
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** `a ÷ b`; b must not be 0. */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** `a ÷ b`, or null where that is undefined: a ratio over nothing is not zero. */
export function ratio(a: Rational, b: Rational): Rational | null {
  return b.numerator === 0n ? null : divide(a, b);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function sum(values: Iterable<Rational>): Rational {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

/** Below 0, 0 or above 0, as `sort` wants it. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.denominator === b.denominator ? a.numerator - b.numerator : a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isZero(a: Rational): boolean {
  return a.numerator === 0n;
}

export function isPositive(a: Rational): boolean {
  return a.numerator > 0n;
}

export function isNegative(a: Rational): boolean {
  return a.numerator < 0n;
}

export function smaller(a: Rational, b: Rational): Rational {
  return compare(a, b) <= 0 ? a : b;
}

export function larger(a: Rational, b: Rational): Rational {
  return compare(a, b) >= 0 ? a : b;
}

/** The largest whole number not above. */
export function floor(a: Rational): bigint {
  const quotient = a.numerator / a.denominator;
  return a.numerator < 0n && a.numerator % a.denominator !== 0n ? quotient - 1n : quotient;
}

/** The nearest double. */
export function toNumber({ numerator, denominator }: Rational): number {
  const asNumber = Number(numerator) / Number(denominator);
  if (Number.isSafeInteger(Number(numerator)) && Number.isSafeInteger(Number(denominator))) return asNumber;
  const magnitude = numerator < 0n ? -numerator : numerator;
  // Scale so that the quotient holds 80 to 82 bits: more than a double keeps, and no more than it can hold.
  const shift = 80 - (bitLength(magnitude) - bitLength(denominator));
  const quotient = shift >= 0 ? (magnitude << BigInt(shift)) / denominator : magnitude / (denominator << BigInt(-shift));
  const value = Number(quotient) * 2 ** -shift;
  return numerator < 0n ? -value : value;
}

/**
 * Decimal text without trailing zeros and without an exponent: exact when the decimal ends within 60 digits, else rounded
 * half-even to 20 significant digits.
 */
export function toDecimal(value: Rational): string {
  if (value.numerator === 0n) return "0";
  const sign = value.numerator < 0n ? "-" : "";
  const magnitude = value.numerator < 0n ? -value.numerator : value.numerator;
  const decimals = endingDecimals(value.denominator);
  if (decimals !== null) return sign + withPoint((magnitude * 10n ** BigInt(decimals)) / value.denominator, decimals);
  const integerDigits = (magnitude / value.denominator).toString().length;
  const leading = magnitude >= value.denominator ? integerDigits : 1 - (value.denominator / magnitude).toString().length;
  const places = Math.max(0, 20 - leading);
  return sign + withPoint(divideHalfEven(magnitude * 10n ** BigInt(places), value.denominator), places);
}

/** `numerator ÷ denominator` to the nearest whole number, a half to the even one. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError("a division by zero");
  const isNegativeResult = numerator < 0n !== denominator < 0n;
  const over = numerator < 0n ? -numerator : numerator;
  const under = denominator < 0n ? -denominator : denominator;
  const quotient = over / under;
  const twice = (over % under) * 2n;
  const isUp = twice > under || (twice === under && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  return isNegativeResult ? -rounded : rounded;
}

/** The whole number `units` with its last `decimals` digits behind the point, trailing zeros gone. */
function withPoint(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = units.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const integer = digits.slice(0, -decimals);
  return fraction === "" ? integer : `${integer}.${fraction}`;
}

/** How many decimals 1/denominator needs, or null if it never ends or needs more than 60. */
function endingDecimals(denominator: bigint): number | null {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  while (rest % 2n === 0n && twos <= 60) [rest, twos] = [rest / 2n, twos + 1];
  while (rest % 5n === 0n && fives <= 60) [rest, fives] = [rest / 5n, fives + 1];
  const decimals = Math.max(twos, fives);
  return rest === 1n && decimals <= 60 ? decimals : null;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function bitLength(value: bigint): number {
  const hexadecimal = value.toString(16);
  return (hexadecimal.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hexadecimal.charAt(0), 16)));
}
