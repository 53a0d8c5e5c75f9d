import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { devicesOf, readFresh, readText, refusal } from "./read-log.ts";

const header = "timestamp, index, utilization.gpu [%], memory.used [MiB]\n";
const start = Date.UTC(2026, 8, 1, 10);

/** A row as nvidia-smi writes it, `seconds` after 10:00 UTC. */
function row(seconds: number, gpu: number, utilization: string, memory = "1024 MiB"): string {
  const stamp = new Date(start + seconds * 1000).toISOString().slice(0, -1).replaceAll("-", "/").replace("T", " ");
  return `${stamp}, ${gpu}, ${utilization}, ${memory}\n`;
}

describe("a log", () => {
  it("is refused without a zone when its times state none, and when nobody knows the zone", async () => {
    expect(await refusal(header + row(0, 0, "5 %"))).toEqual({ code: "import.zone-needed", params: { file: "node-a.csv" } });
    expect(await refusal(header + row(0, 0, "5 %"), { timezone: "Mars/Olympus" })).toEqual({ code: "import.zone-unknown", params: { zone: "Mars/Olympus" } });
  });

  it("without a header needs its columns when they are in doubt", async () => {
    const bare = "2026/09/01 10:00:00.000, 0, NVIDIA A10G, 12 %, 3 %, 1024 MiB, 23028 MiB\n";
    expect(await refusal(bare, { timezone: "UTC" })).toEqual({ code: "import.columns-needed", params: { file: "node-a.csv" } });
    const warm = "2026/09/01 10:00:00.000, 45, 12 %\n2026/09/01 10:00:10.000, 46, 13 %\n";
    expect(await refusal(warm, { timezone: "UTC" })).toMatchObject({ code: "import.columns-needed" });
    const { devices } = await readFresh(bare, { timezone: "UTC", columns: "timestamp,index,name,utilization.gpu,utilization.memory,memory.used,memory.total" });
    expect(devices[0]).toMatchObject({ memoryTotalMiB: 23028, traces: { utilization: [["2026-09-01T10:00:00.000Z", 2, 12]] } });
  });

  it("of several polls that state no time is refused, since nothing says how far apart they lie", async () => {
    const poll = "0, 5 %\n1, 6 %\n";
    expect(await refusal(`index, utilization.gpu [%]\n${poll}${poll}`)).toEqual({ code: "import.column-missing", params: { file: "node-a.csv", format: "nvidia-smi", columns: "timestamp" } });
  });

  it("of several GPUs that it does not tell apart is refused, of one is read", async () => {
    const nameless = "timestamp, utilization.gpu [%]\n";
    const rows = (gpus: number): string => Array.from({ length: 12 }, (_, poll) => Array.from({ length: gpus }, (_, gpu) => row(poll * 10 + gpu * 0.02, 0, "5 %").replace(/, 0, (.*?),.*/, ", $1")).join("")).join("");
    expect(await refusal(nameless + rows(4), { timezone: "UTC" })).toMatchObject({ code: "import.column-missing", params: { columns: "index" } });
    expect((await readFresh(nameless + rows(1), { timezone: "UTC" })).devices).toHaveLength(1);
  });

  it("none of whose rows can be read is refused", async () => {
    expect(await refusal(`${header}soon, 0, 5 %, 1 MiB\nlater, 0, 5 %, 1 MiB\n`, { timezone: "UTC" })).toEqual({ code: "import.no-rows-usable", params: { file: "node-a.csv", rows: 2 } });
  });

  it("of a header alone is read and holds nothing", async () => {
    const { reading, devices } = await readFresh(header);
    expect(reading).toMatchObject({ rowsRead: 0, rowsPosted: 0, devices: 0, coverage: null, hasGpuSeries: true });
    expect(devices).toEqual([]);
  });

  it("cut in a gz is refused, whole in a gz is read", async () => {
    const whole = gzipSync(header + Array.from({ length: 5000 }, (_, index) => row(index * 10, index % 8, `${(index * 7919) % 101} %`, `${(index * 104_729) % 81_559} MiB`)).join(""));
    expect(await refusal(whole.subarray(0, whole.length >> 1), { timezone: "UTC" }, "node-a.csv.gz")).toMatchObject({ code: "import.truncated" });
    const { reading } = await readFresh(whole, { timezone: "UTC" }, "node-a.csv.gz");
    expect(reading).toMatchObject({ rowsRead: 5000, devices: 8, telemetry: { hosts: ["node-a"] } });
  });

  it("takes its host from its name without extension and date, unless the person says", async () => {
    for (const [name, host] of [["gpu-node-7.csv", "gpu-node-7"], ["node7_2026-09-01.csv", "node7"], ["i-0abc12345678def90.log.3", "i-0abc12345678def90"], ["ip-10-0-0-1.ec2.internal.csv", "ip-10-0-0-1.ec2.internal"]] as const) {
      expect((await readFresh(header + row(0, 0, "5 %"), { timezone: "UTC" }, name)).devices[0]?.host).toBe(host);
    }
    expect((await readFresh(header + row(0, 0, "5 %"), { timezone: "UTC", host: "trainer" })).devices[0]?.host).toBe("trainer");
  });

  it("keeps a last line without line end if its values are surely whole", async () => {
    const { devices } = await readFresh((header + row(0, 0, "5 %") + row(10, 0, "6 %")).trimEnd(), { timezone: "UTC" });
    expect(devices[0]?.traces).toMatchObject({ "memory-used": [["2026-09-01T10:00:00.000Z", 10, 1024], ["2026-09-01T10:00:10.000Z", 30, 1024]] });
  });

  it("drops a bare last value without line end: 10 may have been 1024", async () => {
    const { reading, devices } = await readFresh(`${header}${row(0, 0, "5", "1024")}${row(10, 0, "6", "10").trimEnd()}`, { timezone: "UTC" });
    expect(reading.repairs).toEqual({ "unfinished-last-value": 1 });
    expect(devices[0]?.traces).toEqual({
      "memory-used": [["2026-09-01T10:00:00.000Z", 10, 1024]],
      utilization: [["2026-09-01T10:00:00.000Z", 10, 5], ["2026-09-01T10:00:10.000Z", 30, 6]],
    });
  });

  it("tells masked UUIDs apart by their bus id, and one GPU's spellings together", async () => {
    const masked = "GPU-00000000-0000-0000-0000-000000000000";
    const columns = "timestamp, uuid, pci.bus_id, utilization.gpu [%]\n";
    const rows = ["00000000:0A:00.0", "00000000:0B:00.0", "0000:0a:00.0"].map((bus, index) => `2026-09-01T10:0${index}:00Z, ${masked}, ${bus}, 5 %\n`).join("");
    expect((await readFresh(columns + rows)).devices.map(({ key }) => key)).toEqual(["node-a/pci/0000:0a:00.0", "node-a/pci/0000:0b:00.0"]);
  });

  it("of many hosts names each by its column", async () => {
    const { devices } = await readFresh("timestamp,hostname,index,utilization.gpu\n2026-09-01T10:00:00Z,node-1,0,5\n2026-09-01T10:00:00Z,node-2,0,7\n");
    expect(devices.map(({ key, host }) => [key, host])).toEqual([["node-1/index/0", "node-1"], ["node-2/index/0", "node-2"]]);
  });

  it("with a new header in the middle is read by it", async () => {
    const { reading, devices } = await readFresh(`${header}${row(0, 0, "5 %")}index, timestamp, utilization.gpu [%]\n0, 2026/09/01 10:00:10.000, 7 %\n`, { timezone: "UTC" });
    expect(reading).toMatchObject({ rowsRead: 2, rowsSetAside: 0, repairs: { "repeated-header": 1 } });
    expect(devices[0]?.traces["utilization"]).toEqual([["2026-09-01T10:00:00.000Z", 10, 5], ["2026-09-01T10:00:10.000Z", 30, 7]]);
  });

  it("does not let a script's chatter before the header count as rows", async () => {
    const { reading } = await readFresh(`WARNING: infoROM is corrupted\nstarting\n${header}${row(0, 0, "5 %")}`, { timezone: "UTC" });
    expect(reading).toMatchObject({ rowsRead: 1, rowsSetAside: 0, devices: 1 });
  });

  it("counts rows of a repeated hour that nothing places", async () => {
    const { reading } = await readFresh("timestamp, index, utilization.gpu [%]\n2026/10/25 02:30:00.000, 0, 5 %\n", { timezone: "Europe/Berlin" });
    expect(reading.repairs).toEqual({ "ambiguous-hour": 1 });
  });

  it("stops where the person cancels", async () => {
    const ledger = openMemoryLedger();
    const read = await readText(ledger, header + row(0, 0, "5 %"), { timezone: "UTC" }, "node-a.csv", () => true);
    expect(read).toEqual({ ok: false, error: { code: "import.cancelled", params: { file: "node-a.csv" } } });
    ledger.close();
  });

  it("changes nothing of a device that posted logs rest on; once they are undone, it describes it anew", async () => {
    const log = "timestamp, uuid, name, utilization.gpu [%]\n2026-09-01T10:00:00Z, GPU-6f1a0c52-11d0-4a7e-9d5e-0a1b2c3d4e50, NVIDIA L4, 5 %\n";
    const ledger = openMemoryLedger();
    const host = (): string | undefined => devicesOf(ledger)[0]?.host;
    await readText(ledger, log, { host: "wrong" });
    ledger.db.exec("UPDATE batch SET State = 'posted'");
    await readText(ledger, log, { host: "right" });
    expect(host()).toBe("wrong");
    ledger.db.exec("UPDATE batch SET State = 'undone' WHERE State = 'posted'");
    await readText(ledger, log, { host: "right" });
    expect(host()).toBe("right");
    ledger.close();
  });

  it("is not a process list, another tool's log or a bill", async () => {
    for (const foreign of ["timestamp, index, utilization.aip [%]\n2026, 0, 5\n", "gpu,gfx,umc,power_usage\n0,5,1,100\n", "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W)\n21:48:07.398, 0, 0.00, 40.1\n", "BilledCost,ServiceName,ChargePeriodStart\n1,EC2,2026-09-01\n", "name,date,id\na,b,c\n", '{\n"columns": "timestamp,index,utilization.gpu",\n"x": 1}\n']) {
      const ledger = openMemoryLedger();
      const read = await readText(ledger, foreign, { timezone: "UTC" });
      expect(read.ok && read.value.format === "nvidia-smi").toBe(false);
      ledger.close();
    }
  });
});

describe("properties", () => {
  interface Poll {
    readonly seconds: number;
    readonly gpu: number;
    readonly utilization: string;
  }
  /** Two GPUs polled every 10 s with holes, so that the cadence is 10 s in every part. */
  const polls = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })), { minLength: 24, maxLength: 40 }).map((each) => {
    let seconds = 0;
    return each.flatMap(([isHole, one, other], index): Poll[] => {
      seconds += isHole && index % 4 === 3 ? 200 : 10;
      return [{ seconds, gpu: 0, utilization: `${one} %` }, { seconds: seconds + 0.024, gpu: 1, utilization: `${other} %` }];
    });
  });
  const text = (rows: readonly Poll[]): string => header + rows.map(({ seconds, gpu, utilization }) => row(seconds, gpu, utilization)).join("");

  it("the order of rows changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(polls, fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), async (rows, keys) => {
        const shuffled = rows.map((each, index) => ({ each, key: keys[index] ?? 0 })).sort((one, other) => one.key - other.key).map(({ each }) => each);
        expect((await readFresh(text(shuffled), { timezone: "UTC" })).devices).toEqual((await readFresh(text(rows), { timezone: "UTC" })).devices);
      }),
      { numRuns: 25 },
    );
  });

  it("a log in two imports, whichever comes first, is the log in one", async () => {
    await fc.assert(
      fc.asyncProperty(polls, fc.double({ min: 0.3, max: 0.7, noNaN: true }), fc.boolean(), async (rows, where, isReversed) => {
        const cut = Math.floor(rows.length * where);
        const parts = [rows.slice(0, cut), rows.slice(cut)];
        const ledger = openMemoryLedger();
        for (const part of isReversed ? parts.toReversed() : parts) await readText(ledger, text(part), { timezone: "UTC" });
        const inParts = devicesOf(ledger);
        ledger.close();
        expect(inParts).toEqual((await readFresh(text(rows), { timezone: "UTC" })).devices);
      }),
      { numRuns: 25 },
    );
  });

  const small = header + row(0, 0, "97 %", "60000 MiB") + row(0.02, 12, "3 %", "12 MiB") + row(10, 0, "45 %", "60001 MiB") + row(10.02, 12, "0 %", "12 MiB");
  const bare = small.replaceAll(" %,", ",").replaceAll(" MiB\n", "\n");

  /** The index, or the time, stands where the cut may fall. */
  const indexLast = `timestamp, utilization.gpu [%], index\n2026/09/01 10:00:00.000, 5, 1\n2026/09/01 10:00:00.020, 6, 12\n`;
  const timeLast = `index, utilization.gpu [%], timestamp\n0, 5, 2026/09/01 10:00:00.000\n1, 6, 2026/09/01 10:00:00.020\n`;
  const uuidLast = `timestamp, utilization.gpu [%], uuid\n2026/09/01 10:00:00.000, 5, GPU-6f1a0c52-11d0-4a7e-9d5e-0a1b2c3d4e50\n2026/09/01 10:00:00.020, 6, GPU-6f1a0c52-11d0-4a7e-9d5e-0a1b2c3d4e51\n`;

  it.each([["with units", small], ["bare", bare], ["with the index last", indexLast], ["with the time last", timeLast], ["with the UUID last", uuidLast]])("cut anywhere, a log %s says nothing that the whole does not say", async (_, whole) => {
    const all = new Map((await readFresh(whole, { timezone: "UTC" })).devices.map(({ key, traces }) => [key, traces]));
    const ledger = openMemoryLedger();
    for (let length = 1; length < whole.length; length++) {
      ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device");
      const read = await readText(ledger, whole.slice(0, length), { timezone: "UTC" });
      for (const { key, traces } of read.ok ? devicesOf(ledger) : []) {
        for (const [metric, segments] of Object.entries(traces)) {
          for (const [at, , value] of segments) expect(all.get(key)?.[metric]?.find(([known]) => known === at)?.[2]).toBe(value);
        }
      }
    }
    ledger.close();
  });

  it("with any bytes changed, a log is read or refused, and every value lies within bounds", async () => {
    const bytes = new TextEncoder().encode(small);
    const ledger = openMemoryLedger();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }), async (flips) => {
        const broken = Uint8Array.from(bytes);
        for (const [at, byte] of flips) broken[at] = byte;
        ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device");
        const read = await readText(ledger, broken, { timezone: "UTC" });
        if (read.ok) {
          expect(read.value.rowsPosted + read.value.rowsSetAside).toBeLessThanOrEqual(read.value.rowsRead);
          for (const { traces } of devicesOf(ledger)) {
            for (const [, , value] of traces["utilization"] ?? []) expect(value >= 0 && value <= 100).toBe(true);
            for (const [, , value] of traces["memory-used"] ?? []) expect(value >= 0 && value <= 1_048_576).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
    ledger.close();
  });
});
