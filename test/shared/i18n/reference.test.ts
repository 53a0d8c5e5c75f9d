import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../main/cli/words.ts";

const folder = join(import.meta.dirname, "../../../resources/reference");
const rowsOf = (name: string): Record<string, string>[] => parse<Record<string, string>>(readFileSync(join(folder, `${name}.csv`), "utf8"), { columns: true });
const column = (name: string, ...columns: readonly string[]): string[] => [...new Set(rowsOf(name).flatMap((row) => columns.map((each) => row[each] ?? "")))].filter((text) => text !== "");
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

describe("texts of the reference tables in Chinese", () => {
  it("have Chinese for every place, kind of factor and source that a page shows", async () => {
    const { reference } = await wordsOf("zh-CN");
    const used = new Set(rowsOf("regions").flatMap(({ country = "", china_province: province = "" }) => [country, ...(province === "" ? [] : [`CN-PROV:${province}`])]));
    const zones = [...rowsOf("grid_intensity"), ...rowsOf("grid_intensity_electricity_maps")]
      .filter(({ zone = "", country = "" }) => used.has(zone) || (zone.startsWith("EMBER:") && used.has(country)) || zone.startsWith("GCP:"))
      .map(({ zone, zone_name: name }) => `${zone} ${name}`);
    const parts = rowsOf("embodied").flatMap(({ subject = "", subject_kind: kind, accelerator_id: one }) => (kind === "server" ? [`+ 1/8 ${subject}`] : kind === "card" && one === "" ? [subject] : []));
    const shown = [
      ...column("regions", "location"), ...zones, ...parts, ...column("grid_intensity", "method", "boundary"), ...column("grid_intensity_electricity_maps", "method", "boundary"), ...column("pue", "kind"),
      ...["grid_intensity", "grid_intensity_electricity_maps", "pue", "embodied", "host_power", "accelerators", "prices-aws", "prices-azure", "prices-gcp", "prices-gpu-clouds"].flatMap((name) => column(name, "source")),
    ];
    expect(shown.length).toBeGreaterThan(300);
    expect([...new Set(shown)].filter((text) => !isChinese(reference(text)))).toEqual([]);
  });

  it("keep the code of a zone and the title of a source", async () => {
    const { reference } = await wordsOf("zh-CN");
    expect(reference("NL Netherlands")).toBe("NL 荷兰");
    expect(reference("EMBER:JPN Japan")).toBe("EMBER:JPN 日本");
    expect(reference("CN-PROV:Guangdong Guangdong")).toBe("CN-PROV:Guangdong 广东");
    expect(reference("EPA eGRID2022, 2024-01")).toBe("EPA eGRID2022, 2024-01（美国环保署电网子区排放率）");
    expect(reference("48 vCPU, 192 GiB, 4 GPU")).toBe("48 vCPU、192 GiB、4 GPU");
    expect(reference("+ 1/8 8-GPU server, without its GPUs")).toBe("另加 1/8 台八卡 GPU 服务器（不含 GPU）");
    // What was written down from memory is never shown as if its source had been looked up.
    expect(reference("Some data sheet (recalled, verify)")).toBe("Some data sheet（凭记忆录入，未核实）");
    expect((await wordsOf("en")).reference("NVIDIA data sheet (recalled, verify); Epoch AI")).toBe("NVIDIA data sheet (from memory, not verified); Epoch AI");
    // What a person wrote in an own table stays as it is.
    expect(reference("our solar roof")).toBe("our solar roof");
    expect((await wordsOf("en")).reference("Tokyo")).toBe("Tokyo");
  });
});
