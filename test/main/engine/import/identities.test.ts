/** What holds of every bill, whoever wrote it: generated rows of each provider, added up here from what they were made of. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";
import { moneyColumns } from "../../../../shared/domain/charge.ts";
import { formatAttos, parseAmount } from "../../../../shared/domain/money.ts";
import { fileWith, readingOf } from "./read-bill.ts";

/** A charge before any provider has written it down. */
interface Charge {
  readonly month: "2026-08" | "2026-09";
  readonly day: number;
  readonly account: string;
  readonly currency: string;
  readonly attos: bigint;
  readonly kind: number;
  readonly hasExponent: boolean;
}

/** Attos of the four costs; null: the row states none. */
type Costs = readonly [billed: bigint | null, effective: bigint | null, list: bigint | null, contracted: bigint | null];
type Line = readonly [cells: Readonly<Record<string, string>>, costs: Costs];

interface Provider {
  readonly format: string;
  readonly currencies: readonly string[];
  readonly line: (charge: Charge) => Line;
  /** Rows that every file has, so that it says which kind of export it is. */
  readonly always?: (charge: Charge) => Line;
  /** Whether each file speaks for its whole month: then there are no exports of single days beside it. */
  readonly isWhole?: true;
}

const nextMonth = { "2026-08": "2026-09", "2026-09": "2026-10" } as const;
const dayOf = ({ month, day }: Charge): string => `${month}-${String(day).padStart(2, "0")}`;
const american = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`;
const both = (attos: bigint): Costs => [attos, attos, null, null];
const withList = (attos: bigint): Costs => [attos, attos, attos * 5n, null];

const providers: readonly Provider[] = [
  {
    format: "focus",
    currencies: ["USD", "EUR", "CNY"],
    line(charge) {
      const { attos, month, account, currency, kind } = charge;
      const text = textOf(charge);
      const cells = { BilledCost: text(1n), EffectiveCost: text(3n), ListCost: text(5n), ContractedCost: text(7n), BillingCurrency: currency, ChargeCategory: ["Usage", "Tax", "Credit", "Adjustment"][kind % 4] ?? "", ChargeClass: kind === 4 ? "Correction" : "", BillingPeriodStart: `${month}-01T00:00:00Z`, BillingPeriodEnd: `${nextMonth[month]}-01T00:00:00Z`, ChargePeriodStart: `${dayOf(charge)}T05:00:00Z`, ChargePeriodEnd: `${dayOf(charge)}T06:00:00Z`, SubAccountId: account, ProviderName: "Any" };
      return [cells, [attos, attos * 3n, attos * 5n, attos * 7n]];
    },
  },
  {
    format: "aws-cur",
    isWhole: true,
    currencies: ["USD", "EUR"],
    line(charge) {
      const { attos, month, account, currency, kind } = charge;
      const text = textOf(charge);
      // By kind: line item type, what else its row states, and the costs of table 2.3 of AWS's own dashboards.
      const kinds: readonly (readonly [type: string, unblended: bigint, more: Readonly<Record<string, string>>, costs: Costs])[] = [
        ["Usage", 1n, { "pricing/publicOnDemandCost": text(5n) }, withList(attos)],
        ["DiscountedUsage", 0n, { "reservation/ReservationARN": "ri", "reservation/EffectiveCost": text(3n), "pricing/publicOnDemandCost": text(5n) }, [0n, attos * 3n, attos * 5n, null]],
        ["RIFee", 1n, { "reservation/ReservationARN": "ri", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod": text(2n), "reservation/UnusedRecurringFee": text(3n) }, [attos, attos * 5n, null, null]],
        ["Fee", 1n, { "reservation/ReservationARN": "ri" }, [attos, 0n, null, null]],
        ["SavingsPlanCoveredUsage", 5n, { "savingsPlan/SavingsPlanARN": "sp", "savingsPlan/SavingsPlanEffectiveCost": text(3n), "pricing/publicOnDemandCost": text(5n) }, [attos * 5n, attos * 3n, attos * 5n, null]],
        ["SavingsPlanNegation", -5n, { "savingsPlan/SavingsPlanARN": "sp" }, [attos * -5n, 0n, 0n, null]],
        ["SavingsPlanRecurringFee", 7n, { "savingsPlan/SavingsPlanARN": "sp", "savingsPlan/TotalCommitmentToDate": text(7n), "savingsPlan/UsedCommitment": text(3n) }, [attos * 7n, attos * 4n, null, null]],
        ["SavingsPlanUpfrontFee", 1n, { "savingsPlan/SavingsPlanARN": "sp" }, [attos, 0n, null, null]],
        ["Credit", 1n, {}, [attos, attos, attos, null]],
        ["Tax", 1n, {}, [attos, attos, attos, null]],
        ["Refund", -1n, {}, [-attos, -attos, -attos, null]],
      ];
      const [type, unblended, more, costs] = kinds[kind % kinds.length] ?? (["Usage", 1n, {}, both(attos)] as const);
      const cells = { "lineItem/LineItemType": type, "lineItem/UnblendedCost": text(unblended), "lineItem/CurrencyCode": currency, "lineItem/UsageStartDate": `${dayOf(charge)}T05:00:00Z`, "lineItem/UsageEndDate": `${dayOf(charge)}T06:00:00Z`, "lineItem/UsageAccountId": account, "bill/PayerAccountId": "1", "bill/BillingPeriodStartDate": `${month}-01T00:00:00Z`, "bill/BillingPeriodEndDate": `${nextMonth[month]}-01T00:00:00Z` };
      return [{ ...emptyAws, ...cells, ...more }, costs];
    },
  },
  {
    format: "azure",
    currencies: ["EUR", "USD"],
    line(charge) {
      const { attos, month, account, currency, kind } = charge;
      const text = textOf(charge);
      const last = month === "2026-08" ? "31" : "30";
      const [type, model, price, costs]: readonly [string, string, string, Costs] = (
        [
          ["Usage", "OnDemand", text(5n), withList(attos)],
          ["Usage", "Spot", text(5n), withList(attos)],
          ["Usage", "Reservation", text(5n), [0n, attos, attos * 5n, null]],
          ["UnusedReservation", "Reservation", "", [0n, attos, null, null]],
          ["Refund", "OnDemand", "", both(attos)],
        ] as const
      )[kind % 5] ?? ["Usage", "OnDemand", "", both(attos)];
      return [{ SubscriptionId: account, Date: american(dayOf(charge)), MeterCategory: "Virtual Machines", MeterName: "x", Quantity: "1", Cost: text(1n), BillingCurrency: currency, ConsumedService: "Microsoft.Compute", ChargeType: type, PricingModel: model, PayGPrice: price, ReservationId: model === "Reservation" ? "r" : "", BillingPeriodStartDate: american(`${month}-01`), BillingPeriodEndDate: american(`${month}-${last}`) }, costs];
    },
    always: (charge) => azureLine({ ...charge, day: 28, kind: 3, attos: 10n ** 18n }),
  },
  {
    format: "gcp",
    currencies: ["USD", "JPY"],
    line(charge) {
      const { attos, month, account, currency, kind } = charge;
      const text = textOf(charge);
      const isTax = kind % 3 === 2;
      const credits = isTax ? "" : JSON.stringify([{ name: "a", amount: text(-1n), type: "SUSTAINED_USAGE_DISCOUNT" }, { name: "b", amount: text(-1n), type: "PROMOTION" }]);
      return [{ "service.description": "Compute Engine", "sku.description": "Core", usage_start_time: `${dayOf(charge)} 05:00:00 UTC`, usage_end_time: `${dayOf(charge)} 06:00:00 UTC`, "project.id": account, billing_account_id: "b", cost: text(3n), currency, credits, "invoice.month": month.replace("-", ""), cost_type: isTax ? "tax" : "regular", cost_at_list: isTax ? "" : text(5n) }, isTax ? [attos * 3n, attos * 3n, null, attos * 3n] : [attos, attos, attos * 5n, attos * 2n]];
    },
  },
  {
    format: "oci",
    currencies: ["USD", "EUR"],
    line: (charge) => [{ "lineItem/tenantId": "t", "lineItem/intervalUsageStart": `${dayOf(charge)}T05:00Z`, "lineItem/intervalUsageEnd": `${dayOf(charge)}T06:00Z`, "product/Description": "Compute", "product/compartmentId": charge.account, "usage/billedQuantity": "1", "cost/myCost": textOf(charge)(1n), "cost/currencyCode": charge.currency, "cost/billingUnitReadable": "1 NONE HOURS OCPU", "lineItem/isCorrection": charge.kind % 2 === 0 ? "true" : "false" }, both(charge.attos)],
  },
  {
    format: "alibaba",
    currencies: ["CNY", "USD"],
    line: (charge) => [{ BillingCycle: charge.month, ProductCode: "ecs", ProductName: "ECS", SubscriptionType: "PayAsYouGo", Item: charge.kind % 3 === 0 ? "Refund" : "PayAsYouGoBill", BillingItem: "x", AccountID: "1", OwnerID: charge.account, UsageStartTime: `${dayOf(charge)} 15:00:00`, UsageEndTime: `${dayOf(charge)} 16:00:00`, PretaxGrossAmount: textOf(charge)(5n), PretaxAmount: textOf(charge)(1n), Currency: charge.currency }, withList(charge.attos)],
  },
  {
    format: "tencent",
    currencies: ["CNY", "USD"],
    line: (charge) => [{ "Payer Account ID": "1", "Owner Account ID": charge.account, "Product Name": "CVM", "Subproduct Name": "CVM GPU", "Billing Mode": "Pay-as-you-go", "Transaction Type": charge.kind % 3 === 0 ? "Refund" : "Hourly settlement", "Usage Start Time": `${dayOf(charge)} 15:00:00`, "Usage End Time": `${dayOf(charge)} 15:59:59`, "Component Type": "GPU", "Component Name": "x", "Original Cost": charge.kind % 3 === 0 ? "-" : textOf(charge)(5n), "Total Amount After Discount (Excluding Tax)": textOf(charge)(1n), Currency: charge.currency, "Bill Month": charge.month }, charge.kind % 3 === 0 ? both(charge.attos) : withList(charge.attos)],
  },
  {
    format: "huawei",
    currencies: ["CNY"],
    line: (charge) => [{ 账期: charge.month, 企业项目: charge.account, 产品类型编码: "hws.service.type.ec2", 产品类型: "ECS", 产品: "云主机", 计费模式: "按需", 账单类型: charge.kind % 3 === 0 ? "退款-退订" : "消费-使用", 使用开始时间: `${dayOf(charge)} 15:00:00 GMT+08:00`, 使用结束时间: `${dayOf(charge)} 16:00:00 GMT+08:00`, 官网价: textOf(charge)(5n), 应付金额: textOf(charge)(1n), 币种: charge.currency }, withList(charge.attos)],
  },
  {
    format: "runpod",
    currencies: ["USD"],
    line: (charge) => [{ amount: textOf(charge)(1n), time: `${dayOf(charge)} 05:00:00`, timeBilledMs: "1000", podId: charge.account, gpuTypeId: "NVIDIA H100 80GB HBM3" }, both(charge.attos)],
  },
  {
    format: "vast",
    currencies: ["USD"],
    line: (charge) => [{ type: "charge", description: "Instance GPU charge", timestamp: String(Date.parse(`${dayOf(charge)}T05:00:00Z`) / 1000), quantity: "1", rate: "1", amount: textOf(charge)(1n), instance_id: charge.account }, both(charge.attos)],
  },
];
const emptyAws = Object.fromEntries(["reservation/ReservationARN", "reservation/EffectiveCost", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", "reservation/UnusedRecurringFee", "savingsPlan/SavingsPlanARN", "savingsPlan/SavingsPlanEffectiveCost", "savingsPlan/TotalCommitmentToDate", "savingsPlan/UsedCommitment", "pricing/publicOnDemandCost"].map((name) => [name, ""]));
const azureLine = (charge: Charge): Line => (providers.find(({ format }) => format === "azure") as Provider).line(charge);

/** A multiple of the charge's amount as text. */
function textOf({ attos, hasExponent }: Charge): (times: bigint) => string {
  return (times) => (hasExponent ? `${attos * times}E-18` : formatAttos(attos * times));
}

function charges({ currencies }: Provider, least = 1): fc.Arbitrary<Charge[]> {
  return fc.array(
    fc.record({
      month: fc.constant("2026-09" as const),
      day: fc.integer({ min: 2, max: 27 }),
      account: fc.constantFrom("a", "b", "c"),
      currency: fc.constantFrom(...currencies),
      attos: fc.oneof(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.bigInt(-1000n, 1000n), fc.constant(0n)),
      kind: fc.nat(10),
      hasExponent: fc.boolean(),
    }),
    { minLength: least, maxLength: 25 },
  );
}

function linesOf({ line, always }: Provider, list: readonly Charge[]): readonly Line[] {
  const [first] = list;
  return [...list.map(line), ...(always === undefined || first === undefined ? [] : [always(first)])];
}

function textOfFile(lines: readonly Line[], order: (columns: readonly string[]) => readonly string[] = (columns) => columns): string {
  const columns = order(Object.keys(lines[0]?.[0] ?? {}));
  const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `${[columns, ...lines.map(([cells]) => columns.map((column) => cells[column] ?? ""))].map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

/** By currency, the costs of the rows. A list or contracted price of 0 beside a cost is none (billing.md, rule 4). */
function sums(list: readonly Charge[], lines: readonly Line[]): Record<string, Record<string, string | null>> {
  const totals: Record<string, Record<string, string | null>> = {};
  lines.forEach(([cells, costs], index) => {
    const currency = list[index]?.currency ?? cells["BillingCurrency"] ?? "";
    const total = (totals[currency] ??= Object.fromEntries(moneyColumns.map((column) => [column, null])));
    moneyColumns.forEach((column) => {
      const cost = costs[["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"].indexOf(column)] ?? null;
      if (cost === null || (cost === 0n && /List|Contracted/.test(column) && costs[1] !== 0n)) return;
      total[column] = formatAttos((parseAmount(total[column] ?? "0")?.value ?? 0n) + cost);
    });
  });
  return totals;
}

describe.each(providers.map((provider) => [provider.format, provider] as const))("generated bills of %s", (format, provider) => {
  it("state what their rows add up to, a currency and cost at a time, in whatever order their columns stand; so do the cells", async () => {
    await fc.assert(
      fc.asyncProperty(charges(provider), fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), async (list, order) => {
        const lines = linesOf(provider, list);
        const reading = await readingOf(fileWith(textOfFile(lines)));
        expect([reading.format, reading.rowsRead, reading.rowsPosted]).toEqual([format, lines.length, lines.length]);
        const expected = sums(list, lines);
        expect(Object.fromEntries(Object.entries(reading.totals).map(([currency, total]) => [currency, Object.fromEntries(moneyColumns.map((column) => [column, total[column]]))]))).toEqual(expected);
        for (const currency of Object.keys(expected)) {
          for (const column of ["BilledCost", "EffectiveCost"] as const) {
            const stated = reading.cells.filter((cell) => cell["BillingCurrency"] === currency && cell[column] !== null);
            expect(stated.length === 0 ? null : formatAttos(stated.reduce((sum, cell) => sum + (parseAmount(String(cell[column]))?.value ?? 0n), 0n))).toBe(expected[currency]?.[column]);
          }
        }
        const places = new Map(Object.keys(lines[0]?.[0] ?? {}).map((column, index) => [column, order[index] ?? 0]));
        const shuffled = await readingOf(fileWith(textOfFile(lines, (columns) => [...columns].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)))));
        expect(shuffled.cells).toEqual(reading.cells);
      }),
      { numRuns: 5, seed: 20261201 },
    );
  }, 120_000);

  it("say the same in parts, in any order of months, sent again, beside exports of their days, and undone in any order", async () => {
    await fc.assert(
      fc.asyncProperty(charges(provider, 6), fc.nat(100), async (list, where) => {
        const august = list.map((charge) => ({ ...charge, month: "2026-08" as const }));
        const older = list.map((charge) => ({ ...charge, attos: charge.attos + 10n ** 18n }));
        const file = (some: readonly Charge[]): string => textOfFile(linesOf(provider, some));
        const cut = where % (list.length + 1);
        // What says which export it is stands in each file: a part has it too.
        const parts = [list.slice(0, cut), list.slice(cut)].filter((part) => part.length > 0);
        const whole = await shownAfter([[file(list)], [file(august)]]);
        expect(whole.length).toBe(2 * new Set(list.map(({ currency }) => currency).concat(provider.always === undefined ? [] : (list[0]?.currency ?? []))).size);
        expect(await shownAfter([[file(august)], [file(list)]])).toEqual(whole);
        expect(await shownAfter([[file(august)], [file(older)], [file(list)], [file(list)]])).toEqual(whole);
        if (provider.always === undefined) expect(await shownAfter([parts.map(file), [file(august)]])).toEqual(whole);
        if (provider.isWhole !== true && provider.always === undefined) {
          const days = [...Map.groupBy(older, ({ day }) => day).values()].map((some) => [file(some)]);
          expect(await shownAfter([[file(august)], ...days, [file(list)]])).toEqual(whole);
        }
        const undone = await shownAfter([[file(older)], [file(list)], [file(august)]], async (world, batches) => {
          const shown = [await shownIn(world)];
          for (const batch of where % 2 === 0 ? batches : [...batches].reverse()) answerOf(await world.engine.ask("batches.undo", { batch }));
          shown.push(await shownIn(world));
          for (const batch of batches) answerOf(await world.engine.ask("batches.redo", { batch }));
          return [...shown, await shownIn(world)];
        });
        expect(undone).toEqual([whole, [], whole]);
      }),
      { numRuns: 1, seed: 7 },
    );
  }, 240_000);
});

async function shownIn(world: World): Promise<unknown[]> {
  return answerOf(await world.engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ month, currency, BilledCost, EffectiveCost, ListCost, ContractedCost }) => [month, currency, BilledCost, EffectiveCost, ListCost, ContractedCost]);
}

/** What a new ledger shows after these imports, each of its files together. */
async function shownAfter(imports: readonly (readonly string[])[], then: (world: World, batches: readonly number[]) => Promise<unknown[]> = shownIn): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), "identities-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const world = await makeWorld(folder);
  try {
    const batches: number[] = [];
    for (const [index, files] of imports.entries()) {
      const paths = files.map((text, part) => world.file(`${index}/part-${part}.csv`, text));
      const { plan } = answerOf(await world.engine.ask("import.preview", { files: paths, options: {} }));
      const posted = answerOf(await world.engine.ask("import.post", { plan })).files.flatMap(({ batch }) => batch ?? []);
      batches.push(...new Set(posted));
    }
    return await then(world, batches);
  } finally {
    await world.close();
  }
}

describe("a month of AWS", () => {
  it("costs over the term of its commitments what they were paid, used and unused, and its two ledgers differ by upfront payments alone", async () => {
    const amount = fc.bigInt(0n, 10n ** 24n);
    const aws = providers.find((provider) => provider.format === "aws-cur") as Provider;
    const at = { month: "2026-09", day: 3, account: "a", currency: "USD", hasExponent: false, attos: 1n } as const;
    const row = (kind: number, cells: Readonly<Record<string, string>>): Line => [{ ...aws.line({ ...at, kind })[0], ...cells }, both(0n)];
    const text = formatAttos;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 6 }), amount, amount, amount, async (uses, unused, upfront, plain) => {
        const used = uses.reduce((sum, [effective]) => sum + effective, 0n);
        const lines: Line[] = [
          // A savings plan paid as it goes: its fee is what was used and what was not; negations take off what covered usage would have cost.
          ...uses.flatMap(([effective, price]): Line[] => [
            row(4, { "lineItem/UnblendedCost": text(price), "savingsPlan/SavingsPlanEffectiveCost": text(effective) }),
            row(5, { "lineItem/UnblendedCost": text(-price) }),
          ]),
          row(6, { "lineItem/UnblendedCost": text(used + unused), "savingsPlan/TotalCommitmentToDate": text(used + unused), "savingsPlan/UsedCommitment": text(used) }),
          // A reservation paid upfront and wholly used in its term.
          row(3, { "lineItem/UnblendedCost": text(upfront) }),
          row(1, { "lineItem/UnblendedCost": "0", "reservation/EffectiveCost": text(upfront) }),
          row(0, { "lineItem/UnblendedCost": text(plain) }),
        ];
        const { totals, cells } = await readingOf(fileWith(textOfFile(lines)));
        const whole = text(used + unused + upfront + plain);
        expect(totals["USD"]).toMatchObject({ BilledCost: whole, EffectiveCost: whole });
        const of = (id: string, column: "BilledCost" | "EffectiveCost"): string => text(cells.filter((cell) => cell["CommitmentDiscountId"] === id).reduce((sum, cell) => sum + (parseAmount(String(cell[column]))?.value ?? 0n), 0n));
        expect([of("sp", "EffectiveCost"), of("ri", "EffectiveCost")]).toEqual([of("sp", "BilledCost"), of("ri", "BilledCost")]);
        // Before the reservation is used, accrual is short of cash by what was paid ahead (CID: ri_sp_upfront_fees).
        const early = await readingOf(fileWith(textOfFile(lines.filter(([cells]) => cells["lineItem/LineItemType"] !== "DiscountedUsage"))));
        expect(early.totals["USD"]).toMatchObject({ BilledCost: whole, EffectiveCost: text(used + unused + plain) });
      }),
      { numRuns: 10, seed: 11 },
    );
  }, 120_000);
});

it("Azure's two exports of a month together cost over a reservation's term what it was paid, in whatever order they come", async () => {
  const amount = fc.bigInt(1n, 10n ** 24n);
  const at = { month: "2026-09", day: 3, account: "a", currency: "EUR", hasExponent: false } as const;
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 5 }), amount, amount, fc.boolean(), async (uses, unused, plain, isActualFirst) => {
      const paid = uses.reduce((sum, use) => sum + use, unused);
      const usage = azureLine({ ...at, kind: 0, attos: plain });
      const bought = azureLine({ ...at, kind: 3, attos: paid });
      const amortized = textOfFile([usage, ...uses.map((attos, index) => azureLine({ ...at, day: 4 + index, kind: 2, attos })), azureLine({ ...at, kind: 3, attos: unused })]);
      const actual = textOfFile([usage, [{ ...bought[0], ChargeType: "Purchase" }, bought[1]], ...uses.map((_, index) => azureLine({ ...at, day: 4 + index, kind: 2, attos: 0n }))]);
      const [total] = await shownAfter(isActualFirst ? [[actual], [amortized]] : [[amortized], [actual]]);
      expect((total as unknown[]).slice(0, 4)).toEqual(["2026-09", "EUR", formatAttos(paid + plain), formatAttos(paid + plain)]);
    }),
    { numRuns: 4, seed: 3 },
  );
}, 120_000);
