/** Exact amounts of the sample, in attos (1e-18). Its own arithmetic: the truth of the sample must not rest on the code it tests. */
export type Attos = bigint;

const UNIT = 10n ** 18n;

/** `12.5`, `-0.08`, `7.2E-05`. */
export function amount(decimal: string): Attos {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/i.exec(decimal);
  if (parts === null) throw new Error(`no amount: ${decimal}`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const shift = 18 - fraction.length + Number(exponent);
  if (shift < 0) throw new Error(`finer than an atto: ${decimal}`);
  const attos = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return sign === "-" ? -attos : attos;
}

/** With at least so many decimals, and as many more as it takes. */
export function text(attos: Attos, decimals = 0): string {
  const magnitude = attos < 0n ? -attos : attos;
  const digits = (magnitude % UNIT).toString().padStart(18, "0").replace(/0+$/, "").padEnd(decimals, "0");
  return `${attos < 0n ? "-" : ""}${magnitude / UNIT}${digits === "" ? "" : `.${digits}`}`;
}

/** `attos × numerator ÷ denominator`, cut after so many decimals as a bill cuts them. */
export function part(attos: Attos, numerator: number, denominator: number, decimals = 10): Attos {
  const step = 10n ** BigInt(18 - decimals);
  return ((attos * BigInt(numerator)) / BigInt(denominator) / step) * step;
}

export function times(attos: Attos, count: number): Attos {
  return attos * BigInt(count);
}
