import { fromBuffer } from "yauzl";
import type { Entry, ZipFile } from "yauzl";

/** A cell as it stands in the workbook: a number with its format, or a text. */
export type SheetCell = { readonly number: number; readonly format: string } | string;
export interface ReadSheet {
  readonly name: string;
  readonly frozenRows: number;
  readonly rows: readonly (readonly SheetCell[])[];
}

/** Reads a workbook back from its bytes: sheets in order, cells by row. Formulas are refused: there must be none. */
export async function readSheets(bytes: Uint8Array): Promise<readonly ReadSheet[]> {
  const files = await unzip(Buffer.from(bytes));
  const file = (name: string): string => files.get(name) ?? "";
  const strings = [...file("xl/sharedStrings.xml").matchAll(/<si>(.*?)<\/si>/gs)].map(([, inner = ""]) => textOf(inner));
  const formats = new Map([...file("xl/styles.xml").matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id = "", code = ""]) => [id, unescaped(code)]));
  const styles = [.../<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(file("xl/styles.xml"))?.[1]?.matchAll(/<xf ([^>]*)>/g) ?? []].map(([, attributes = ""]) => formats.get(/numFmtId="(\d+)"/.exec(attributes)?.[1] ?? "") ?? "");
  const names = [...file("xl/workbook.xml").matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name = ""]) => unescaped(name));
  return names.map((name, index) => {
    const xml = file(`xl/worksheets/sheet${index + 1}.xml`);
    if (/<f[ >]/.test(xml)) throw new Error(`${name} holds a formula`);
    const rows = [...xml.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, cells = ""]) =>
      [...cells.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes = "", inner = ""]): SheetCell => {
        const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1];
        if (attributes.includes('t="s"')) return strings[Number(value)] ?? "";
        if (attributes.includes('t="inlineStr"') || attributes.includes('t="str"')) return textOf(inner);
        return value === undefined ? "" : { number: Number(value), format: styles[Number(/s="(\d+)"/.exec(attributes)?.[1])] ?? "" };
      }),
    );
    return { name, frozenRows: Number(/ySplit="(\d+)"/.exec(xml)?.[1] ?? 0), rows };
  });
}

function textOf(xml: string): string {
  return unescaped([...xml.matchAll(/<(?:t|v)(?: [^>]*)?>(.*?)<\/(?:t|v)>/gs)].map(([, text = ""]) => text).join(""));
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

async function unzip(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => fromBuffer(bytes, { lazyEntries: true }, (fault, opened) => (opened === undefined ? reject(fault ?? new Error("no zip")) : resolve(opened))));
  const files = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", () => resolve());
    zip.on("entry", (entry: Entry) =>
      zip.openReadStream(entry, (fault, stream) => {
        if (fault !== null || stream === undefined) return reject(fault ?? new Error("no stream"));
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => void parts.push(part));
        stream.on("end", () => {
          files.set(entry.fileName, Buffer.concat(parts).toString("utf8"));
          zip.readEntry();
        });
      }),
    );
    zip.readEntry();
  });
  return files;
}
