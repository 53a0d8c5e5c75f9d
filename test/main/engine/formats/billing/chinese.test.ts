import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recognizeBilling } from "../../../../../main/engine/formats/index.ts";
import { fileWith, fixtures, readingOf } from "../../import/read-bill.ts";

function bill(header: string, ...rows: readonly string[]): string {
  return fileWith(`${[header, ...rows].join("\n")}\n`);
}

describe("an Alibaba Cloud bill", () => {
  it("of the console, by day, with the columns that its page shows and no others", async () => {
    const reading = await readingOf(
      bill(
        "账单月份,账单日期,产品Code,产品名称,产品明细,消费类型,实例ID,实例名称,实例标签,资源组,地域,可用区,计费项,用量,用量单位,目录总价,优惠金额,应付金额",
        "2026-09,2026-09-01,ecs,云服务器 ECS,ECS(按量付费),后付费,i-1\t,训练,key:team value:vision,默认,华东1,杭州I,云服务器配置,24,小时,100,10,90\t",
        "2026-09,--,ecs,云服务器 ECS,ECS(包年包月),预付费,i-2,--,--,默认,华东1,杭州I,--,1,个,3000,0,3000",
      ),
    );
    expect(reading).toMatchObject({ format: "alibaba", rowsPosted: 2, periods: ["2026-09"], totals: { CNY: { BilledCost: "3090", ListCost: "3100" } }, repairs: { "currency-assumed-cny": 2, "zone-assumed-beijing": 2 } });
    expect(reading.cells).toMatchObject([
      // A month in Beijing begins at 16:00 of the day before in UTC, and lasts 30 days.
      { day: "2026-08-31", ResourceId: "i-2", ChargeCategory: "Purchase", x_PeriodSeconds: 30 * 86_400 },
      { day: "2026-08-31", ResourceId: "i-1", x_Team: "vision", ChargeCategory: "Usage" },
    ]);
  });

  it("reads the same whatever the case and dress of its names, their order, and the marks between cells", async () => {
    const plain = readFileSync(join(fixtures, "alibaba/english-detail.csv"), "utf8");
    const known = await readingOf(join(fixtures, "alibaba/english-detail.csv"));
    const table = plain.trim().split("\r\n").map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const [header = []] = table;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(header.map((_, index) => index), { minLength: header.length }), fc.constantFrom("plain", "lower", "snake", "blank"), async (order, dress) => {
        const dressed = (name: string): string => (dress === "lower" ? name.toLowerCase() : dress === "snake" ? name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase() : dress === "blank" ? `  ${name.replace(/([a-z])([A-Z])/g, "$1 $2")}` : name);
        const lines = table.map((cells, line) => order.map((index) => (line === 0 ? dressed(cells[index] ?? "") : (cells[index] ?? ""))).join(","));
        const reading = await readingOf(fileWith(`\uFEFF${lines.join("\n")}\n`));
        expect(reading).toMatchObject({ totals: known.totals, rowsPosted: known.rowsPosted, rowsSetAside: known.rowsSetAside, cells: known.cells, hours: known.hours });
      }),
      { numRuns: 12 },
    );
  });

  it("whose months alone are stated does not take a month of 720 hours for what a machine ran", async () => {
    const reading = await readingOf(bill("账单月份,产品Code,产品名称,消费类型,实例ID,实例规格,计费项,用量,用量单位,目录总价,应付金额,币种", "2026-09,ecs,ECS,后付费,i-1,ecs.gn7i-c8g1.2xlarge,云服务器配置,12.5,小时,10,9,人民币"));
    expect(reading.cells).toMatchObject([{ x_GpuModel: "A10", GpuHours: 12.5, BillingCurrency: "CNY" }]);
  });
});

describe("a Tencent Cloud bill", () => {
  const header = "产品名称,子产品名称,计费模式,实例ID,交易类型,开始使用时间,结束使用时间,组件类型,组件名称,组件用量,使用时长,时长单位,组件原价,优惠后总价,币种";
  const row = (type: string, name: string, { instance = "ins-1", start = "2026-09-01 00:00:00" } = {}): string => `云服务器CVM,GPU型GN10Xp,按量计费,${instance},按量计费小时结,${start},2026-09-01 12:00:00,${type},${name},1,1,小时,-,1,CNY`;
  const gpuHours = async (...rows: readonly string[]): Promise<number> => (await readingOf(bill(header, ...rows))).cells.reduce((sum, cell) => sum + (typeof cell["GpuHours"] === "number" ? cell["GpuHours"] : 0), 0);

  it("counts an instance-hour once, whichever of its components come, in any order", async () => {
    const components = [row("GPU", "GN10Xp.20XLARGE320 GPU"), row("CPU", "GN10Xp.20XLARGE320 CPU"), row("内存", "GN10Xp.20XLARGE320 内存"), row("系统盘", "高性能云硬盘 GN10Xp.20XLARGE320"), row("带宽", "公网带宽")];
    expect(await gpuHours(...components)).toBe(8);
    expect(await gpuHours(...[...components].reverse())).toBe(8);
    expect(await gpuHours(...components.slice(1))).toBe(8);
    expect(await gpuHours(row("计算组件", "GN10Xp.20XLARGE320"), row("运算服务", "GN10Xp.20XLARGE320 服务"))).toBe(8);
    expect(await gpuHours(...components, row("GPU", "GN10Xp.20XLARGE320 GPU", { start: "2026-09-01 01:00:00" }))).toBe(16);
  });

  it("of another size in the same subproduct counts by its own machine", async () => {
    expect(await gpuHours(row("GPU", "GN10Xp.20XLARGE320"), row("GPU", "GN10Xp.2XLARGE40", { instance: "ins-2" }))).toBe(9);
  });
});

describe("bills of providers whose columns have like names", () => {
  it.each([
    ["huawei", ["账期", "企业项目", "产品类型", "产品", "计费模式", "消费时间", "账单类型", "资源ID", "规格", "使用量", "官网价", "应付金额"]],
    ["huawei", ["账期", "企业项目ID", "账号", "产品类型编码", "产品类型", "计费模式", "使用开始时间", "使用结束时间", "账单类型", "消费金额", "官网价总金额"]],
    ["baidu", ["账号ID", "付费方式", "账单时间", "产品名称", "云商品编号", "配置", "计费项", "区域", "实例ID", "应付金额"]],
    ["volcengine", ["账期", "账单日期", "产品名称", "计费模式", "账单类型", "实例ID", "配置名称", "计费项", "地域", "用量", "原价", "折后价", "应付金额", "币种"]],
    ["tencent", ["产品名称", "子产品名称", "计费模式", "实例ID", "交易类型", "扣费时间", "组件类型", "组件名称", "优惠后总价"]],
    ["alibaba", ["账单信息/账单月份", "账单信息/费用类型", "产品信息/产品Code", "产品信息/产品名称", "产品信息/计费项名称", "费用信息/目录总价", "应付信息/应付金额(含税)"]],
  ])("are told apart: %s", (formatId, header) => {
    expect(recognizeBilling({ name: "bill.csv", header })).toMatchObject({ ok: true, value: { formatId } });
  });

  it("Huawei's range of times in one cell is a charge from the first to the second", async () => {
    const reading = await readingOf(bill("账期,企业项目,产品类型,产品,计费模式,消费时间,账单类型,资源ID,规格,使用量,使用量单位,官网价,应付金额", "202609,default,弹性云服务器,云主机,按需,2026-09-01 22:00:00 GMT+08:00-2026-09-01 23:00:00 GMT+08:00,消费-使用,ecs-1,p2v.2xlarge.8,1,小时,20,18"));
    expect(reading).toMatchObject({ format: "huawei", rowsPosted: 1, periods: ["2026-09"], totals: { CNY: { BilledCost: "18" } } });
    expect(reading.cells).toMatchObject([{ day: "2026-09-01", x_GpuModel: "V100" }]);
  });
});
