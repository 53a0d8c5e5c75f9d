/** What each card does in every twelve minutes: load in percent (0 to 4 is idle) and the share of its memory in use. */
import { firstMs, hourAt, hourCount, hourMs, hourOfDay, isoHour, slotsAnHour, weekday } from "./calendar.ts";
import { isWorkingHour, type Work } from "./company.ts";
import { randomOf, type Random } from "./random.ts";

export const slotCount = hourCount * slotsAnHour;

export interface Activity {
  readonly load: Float32Array;
  readonly memory: Float32Array;
}

/** Memory of a card that nobody uses: what the driver keeps. */
const driverShare = 0.007;

/** The load of one card of a machine. Cards that work together share their draws; people at notebooks do not. */
export function activityOf(work: Work, node: string, card: number, isOn: Uint8Array): Activity {
  const activity: Activity = { load: new Float32Array(slotCount), memory: new Float32Array(slotCount).fill(driverShare) };
  const isShared = work !== "notebooks" && work !== "leak" && work !== "builds" && work !== "lab";
  const random = randomOf(`work ${node}${isShared ? "" : ` ${card}`}`);
  if (work === "training") jobs(activity, isOn, random, card, training);
  else if (work === "steady-training") jobs(activity, isOn, random, card, steadyTraining);
  else if (work === "simulation") jobs(activity, isOn, random, card, simulation);
  else if (work === "trial") jobs(activity, isOn, random, card, trial);
  else if (work === "builds") builds(activity, random);
  else if (work === "search" || work === "recommendation") serving(activity, random, card, work);
  else notebooks(activity, random);
  if (work === "leak") leak(activity, card);
  return activity;
}

interface JobHabits {
  readonly hours: readonly [number, number];
  readonly restHours: readonly [number, number];
  /** Share of rests with the model left in memory, of jobs that wait for data, of jobs on half of the cards. */
  readonly heldShare: number;
  readonly starvedShare: number;
  readonly halfShare: number;
  readonly load: readonly [number, number];
}
const training: JobHabits = { hours: [5, 46], restHours: [0.5, 5], heldShare: 0.45, starvedShare: 0.17, halfShare: 0.08, load: [84, 97] };
const steadyTraining: JobHabits = { hours: [20, 110], restHours: [0.5, 3.5], heldShare: 0.5, starvedShare: 0.1, halfShare: 0.02, load: [88, 98] };
const simulation: JobHabits = { hours: [3, 22], restHours: [0.3, 1.4], heldShare: 0.2, starvedShare: 0.12, halfShare: 0, load: [76, 94] };
const trial: JobHabits = { hours: [2, 8], restHours: [0.8, 4.5], heldShare: 0.55, starvedShare: 0.35, halfShare: 0, load: [66, 90] };

function jobs({ load, memory }: Activity, isOn: Uint8Array, random: Random, card: number, habits: JobHabits): void {
  let at = 0;
  while (at < slotCount) {
    if (isOn[Math.floor(at / slotsAnHour)] === 0) {
      at = nextOn(isOn, at);
      continue;
    }
    const isStarved = random.chance(habits.starvedShare);
    const isHalf = random.chance(habits.halfShare);
    const base = isStarved ? random.between(38, 66) : random.between(habits.load[0], habits.load[1]);
    const share = random.between(0.66, 0.93);
    const length = slotsOf(random.between(habits.hours[0], habits.hours[1]));
    const isHeld = random.chance(habits.heldShare);
    const rest = Math.max(2, slotsOf(random.between(habits.restHours[0], habits.restHours[1])));
    const sits = isHalf && card >= 4;
    const end = Math.min(at + length, at + onFor(isOn, at), slotCount);
    for (; at < end; at += 1) {
      load[at] = sits ? 0 : base;
      memory[at] = sits ? driverShare : share;
    }
    const restEnd = Math.min(at + rest, at + onFor(isOn, at), slotCount);
    for (; at < restEnd; at += 1) memory[at] = isHeld && !sits ? share : driverShare;
  }
}

/** Requests by the hour of the day; deep at night at weekends nobody asks, and the model stays loaded. */
function serving({ load, memory }: Activity, random: Random, card: number, work: "search" | "recommendation"): void {
  const peak = work === "search" ? 74 : 81;
  const share = work === "search" ? 0.64 : 0.52;
  for (let hour = 0; hour < hourCount; hour += 1) {
    const day = weekday(hour) < 5 ? 1 : 0.72;
    const busy = (hourlyDemand[hourOfDay(hour)] as number) * day * random.between(0.88, 1.12) * peak;
    const isQuiet = work === "search" ? busy < 15 : busy < 12;
    for (let slot = 0; slot < slotsAnHour; slot += 1) {
      load[hour * slotsAnHour + slot] = isQuiet ? 0 : Math.max(13, busy - card * 2);
      memory[hour * slotsAnHour + slot] = share;
    }
  }
}
const hourlyDemand = [0.28, 0.2, 0.15, 0.12, 0.13, 0.2, 0.36, 0.55, 0.76, 0.88, 0.95, 1, 0.98, 0.97, 1, 0.99, 0.95, 0.9, 0.83, 0.75, 0.66, 0.56, 0.46, 0.36];

/** Bursts of work in working hours; at night and at weekends the kernel mostly lives on with its tensors. */
function notebooks({ load, memory }: Activity, random: Random): void {
  let share = random.between(0.3, 0.8);
  let isKept = true;
  for (let hour = 0; hour < hourCount; ) {
    if (hourOfDay(hour) === 8) {
      share = random.between(0.25, 0.85);
      isKept = random.chance(0.62);
    }
    const isWorking = isWorkingHour(hour);
    const length = isWorking ? random.whole(1, 4) : 1;
    // Now and then an experiment is left running over night.
    const isNightRun = !isWorking && hourOfDay(hour) === 19 && random.chance(0.34);
    const busyHours = isNightRun ? random.whole(4, 13) : isWorking && random.chance(0.7) ? length : 0;
    const span = Math.max(length, busyHours);
    const base = random.between(45, 93);
    for (let slot = hour * slotsAnHour; slot < Math.min((hour + span) * slotsAnHour, slotCount); slot += 1) {
      load[slot] = busyHours > 0 ? base : 0;
      memory[slot] = busyHours > 0 || isWorking || isKept ? share : driverShare;
    }
    hour += span;
  }
}

/** Test suites on weekdays; the machine waits for the next one with nothing loaded. */
function builds({ load, memory }: Activity, random: Random): void {
  for (let hour = 0; hour < hourCount; ) {
    const length = random.whole(1, 3);
    const isBusy = isWorkingHour(hour) ? random.chance(0.62) : weekday(hour) < 5 && random.chance(0.13);
    const base = random.between(28, 72);
    if (isBusy) {
      const share = random.between(0.2, 0.6);
      for (let slot = hour * slotsAnHour; slot < Math.min((hour + length) * slotsAnHour, slotCount); slot += 1) {
        load[slot] = base;
        memory[slot] = share;
      }
    }
    hour += length;
  }
}

/** A service left running on 14 September whose memory only ever grows. */
function leak({ load, memory }: Activity, card: number): void {
  const from = hourAt("2026-09-14T12") * slotsAnHour;
  const to = hourAt("2026-09-24T08") * slotsAnHour;
  for (let slot = from; slot < to; slot += 1) {
    load[slot] = 0;
    memory[slot] = 0.17 + card * 0.02 + ((slot - from) / (to - from)) * 0.72;
  }
}

/** Slots in which a log wrote nothing: the whole of December, when the collector was replaced, and shorter failures of each machine. */
export function outagesOf(node: string): Uint8Array {
  const isOut = new Uint8Array(slotCount);
  const cut = (from: number, to: number): void => void isOut.fill(1, Math.max(0, from * slotsAnHour), Math.min(slotCount, to * slotsAnHour));
  cut(hourAt("2025-11-30T22"), hourAt("2026-01-01T06"));
  const random = randomOf(`outages ${node}`);
  for (let day = 4; day < hourCount / 24; day += random.whole(11, 30)) cut(day * 24 + random.whole(0, 23), day * 24 + random.whole(26, 44));
  if (node.startsWith("az-")) cut(hourAt("2026-09-25T07"), hourAt("2026-09-25T17"));
  return isOut;
}

function slotsOf(hours: number): number {
  return Math.round(hours * slotsAnHour);
}

/** Slots from `at` until the machine stops. */
function onFor(isOn: Uint8Array, at: number): number {
  let hour = Math.floor(at / slotsAnHour);
  while (hour < hourCount && isOn[hour] === 1) hour += 1;
  return hour * slotsAnHour - at;
}

function nextOn(isOn: Uint8Array, at: number): number {
  let hour = Math.floor(at / slotsAnHour);
  while (hour < hourCount && isOn[hour] === 0) hour += 1;
  return hour * slotsAnHour;
}

/** The wall clock of nvidia-smi at an instant of the sample up to its milliseconds, `2026/09/07 18:03:20.`; the hosts' clocks run in UTC. */
export function wallClock(ms: number): string {
  const within = ms - firstMs;
  const hour = Math.floor(within / hourMs);
  const rest = within - hour * hourMs;
  const minute = Math.floor(rest / 60_000);
  const second = Math.floor((rest % 60_000) / 1000);
  return `${wallHour(hour)}:${two(minute)}:${two(second)}.`;
}
let lastHour = -1;
let lastText = "";
function wallHour(hour: number): string {
  if (hour !== lastHour) {
    lastHour = hour;
    lastText = `${isoHour(hour).slice(0, 10).replaceAll("-", "/")} ${isoHour(hour).slice(11, 13)}`;
  }
  return lastText;
}
function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
