/** Values of a Parquet file as the texts of cells, and its columns as those of a table. */
import type { ParquetParsers, SchemaElement, SchemaTree } from "hyparquet";

/** Struct fields are columns of their own down to here. */
const MOST_DEPTH = 4;

export interface TableColumn {
  readonly name: string;
  /** The column of the file that it is in. */
  readonly top: string;
  /** Its value in that column's. */
  value(topValue: unknown): unknown;
  text(value: unknown): string;
}

/** The columns of a table: a struct is one, and its fields are. */
export function columnsOf(root: SchemaTree): TableColumn[] {
  const columns: TableColumn[] = [];
  const add = (node: SchemaTree, names: readonly string[], depth: number): void => {
    const [top = "", ...inside] = names;
    const value =
      inside.length === 0
        ? (found: unknown): unknown => found
        : (found: unknown): unknown => inside.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined), found);
    columns.push({ name: names.join("."), top, value, text: textOf(node) });
    if (!isStruct(node) || depth >= MOST_DEPTH) return;
    for (const child of node.children) add(child, [...names, child.element.name], depth + 1);
  };
  for (const child of root.children) add(child, [child.element.name], 0);
  return columns;
}

function isRepeated({ element }: SchemaTree): boolean {
  return element.repetition_type === "REPEATED";
}
function isList({ element, children }: SchemaTree): boolean {
  return (element.converted_type === "LIST" || element.logical_type?.type === "LIST") && children.length === 1 && children[0] !== undefined && isRepeated(children[0]);
}
function isMap({ element, children }: SchemaTree): boolean {
  const isNamed = element.converted_type === "MAP" || element.converted_type === "MAP_KEY_VALUE" || element.logical_type?.type === "MAP";
  return isNamed && children.length === 1 && children[0]?.children.length === 2;
}
function isStruct(node: SchemaTree): boolean {
  return node.children.length > 0 && !isRepeated(node) && !isList(node) && !isMap(node);
}

/** A value as the text of a cell; null is empty. */
function textOf(node: SchemaTree): (value: unknown) => string {
  if (node.children.length > 0 || isRepeated(node)) {
    return (value) => (value === null || value === undefined ? "" : jsonOf(value, node));
  }
  const leaf = leafText(node.element);
  return (value) => (value === null || value === undefined ? "" : leaf(value));
}

function jsonOf(value: unknown, node: SchemaTree, isElement = false): string {
  if (value === null || value === undefined) return "null";
  const [child] = node.children;
  if (isRepeated(node) && !isElement) return Array.isArray(value) ? `[${value.map((each: unknown) => jsonOf(each, node, true)).join(",")}]` : "null";
  if (isList(node) && child !== undefined && Array.isArray(value)) {
    const [only] = child.children;
    const element = child.children.length === 1 && only !== undefined ? only : child;
    return `[${value.map((each: unknown) => jsonOf(each, element, true)).join(",")}]`;
  }
  if (isMap(node)) {
    const values = child?.children[1];
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${values === undefined ? "null" : jsonOf(each, values)}`).join(",")}}`;
  }
  if (node.children.length > 0) {
    return `{${node.children.map((each) => `${JSON.stringify(each.element.name)}:${jsonOf((value as Record<string, unknown>)[each.element.name], each)}`).join(",")}}`;
  }
  const text = leafText(node.element)(value);
  return isNumber(node.element) && /^-?\d/.test(text) ? text : typeof value === "boolean" ? text : JSON.stringify(text);
}

function isNumber({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") return true;
  if (converted === "DATE" || converted?.startsWith("TIME") === true || logical?.type === "DATE" || logical?.type === "TIMESTAMP") return false;
  return type === "INT32" || type === "INT64" || type === "FLOAT" || type === "DOUBLE";
}

/** A value of a leaf, as `convert` of hyparquet makes it with `parsers`, as text. */
export function leafText(element: SchemaElement): (value: unknown) => string {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
    const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
    return (value) => decimalText(value, scale);
  }
  if (type === "FLOAT") return (value) => shortestFloat(value as number);
  if (type === "DOUBLE") return (value) => shortestDouble(value as number);
  return (value) => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8") : String(value));
}

/** Whole number of the last place, as an integer or as big-endian bytes. */
export function decimalText(value: unknown, scale: number): string {
  let unscaled: bigint;
  if (value instanceof Uint8Array) {
    unscaled = 0n;
    for (const byte of value) unscaled = (unscaled << 8n) | BigInt(byte);
    unscaled = BigInt.asIntN(value.length * 8, unscaled);
  } else unscaled = BigInt(value as number | bigint);
  if (scale <= 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}

const remembered = { numbers: new Float64Array(1 << 15).fill(Number.NaN), texts: new Array<string>(1 << 15).fill("") };
const bits = new DataView(new ArrayBuffer(8));

/** As JavaScript writes it. Costs come again in the columns beside them, so texts are remembered for a while. */
export function shortestDouble(value: number): string {
  bits.setFloat64(0, value);
  const place = (Math.imul(bits.getInt32(0), 0x9e3779b1) ^ Math.imul(bits.getInt32(4), 0x85ebca6b)) >>> 17;
  if (remembered.numbers[place] === value) return remembered.texts[place] as string;
  const text = String(value);
  remembered.numbers[place] = value;
  remembered.texts[place] = text;
  return text;
}

/** The shortest decimal that is this number of single precision. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

/** Decimals are asked for as they are stored: as floating numbers they would not be exact. What cannot be a bill's is left as bytes. */
export function asStored(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical, ...rest } = element;
  // Its reader looks for the older mark alone.
  if (converted === undefined && (logical?.type === "LIST" || logical?.type === "MAP")) return { ...element, converted_type: logical.type };
  const isRaw = converted === "DECIMAL" || converted === "BSON" || converted === "INTERVAL" || (logical !== undefined && ["DECIMAL", "GEOMETRY", "GEOGRAPHY", "VARIANT"].includes(logical.type));
  return isRaw ? rest : element;
}

const bytesText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

export const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (milliseconds) => instantText(milliseconds * 1_000_000n),
  timestampFromMicroseconds: (microseconds) => instantText(microseconds * 1000n),
  timestampFromNanoseconds: (nanoseconds) => instantText(nanoseconds),
  dateFromDays: (days) => instantText(BigInt(days) * 86_400_000_000_000n).slice(0, 10),
  stringFromBytes: (bytes) => bytesText(bytes),
  jsonFromBytes: (bytes) => bytesText(bytes),
};

let lastNanoseconds: bigint | null = null;
let lastText = "";

/** Nanoseconds since 1970 as an instant; what lies beyond the calendar as the number it is, which no time is. */
function instantText(nanoseconds: bigint): string {
  if (nanoseconds === lastNanoseconds) return lastText;
  const second = 1_000_000_000n;
  const rest = ((nanoseconds % second) + second) % second;
  const date = new Date(Number((nanoseconds - rest) / 1_000_000n));
  let text = String(nanoseconds);
  if (!Number.isNaN(date.getTime())) {
    const fraction = rest === 0n ? "" : `.${String(rest).padStart(9, "0").replace(/(?:000)+$/, "")}`;
    text = date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
  }
  lastNanoseconds = nanoseconds;
  lastText = text;
  return text;
}

/** A cell of delimited text on one line, since a row's place is its line. */
export function quoted(value: string): string {
  if (!/[",\r\n]/.test(value)) return value;
  return `"${value.replace(/[\r\n]+/g, " ").replaceAll('"', '""')}"`;
}
