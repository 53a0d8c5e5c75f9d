/** Seconds of any one clock; start inclusive, end exclusive. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** A value that holds from `start` to `end`; null where the source says it does not know. */
export interface Segment extends TimeWindow {
  readonly value: number | null;
}

export interface KnownSegment extends Segment {
  readonly value: number;
}

/** What a source said at one second. */
export interface Sample {
  readonly at: number;
  readonly value: number | null;
}

/**
 * Samples as segments that hold forward (model d.2): a value stands until the next sample, at most for `holdSeconds`; what is
 * left between is a hole, and a hole is unknown. Of equal timestamps the last in the list counts; unsorted samples are sorted.
 * A null says "unknown from here" and so ends the hold before it.
 */
export function holdForward(samples: readonly Sample[], holdSeconds: number): readonly KnownSegment[] {
  const ordered = inOrderOnce(samples);
  const segments: KnownSegment[] = [];
  for (const [index, { at, value }] of ordered.entries()) {
    if (value === null) continue;
    const next = ordered[index + 1];
    segments.push({ start: at, end: next === undefined ? at + holdSeconds : Math.min(next.at, at + holdSeconds), value });
  }
  return segments;
}

/**
 * Samples that are means up to their timestamp, as segments that hold backwards from it (model d.2): to the sample before,
 * at most for `holdSeconds`. A null leaves its stretch unknown.
 */
export function holdBackward(samples: readonly Sample[], holdSeconds: number): readonly KnownSegment[] {
  const ordered = inOrderOnce(samples);
  const segments: KnownSegment[] = [];
  for (const [index, { at, value }] of ordered.entries()) {
    if (value === null) continue;
    const previous = ordered[index - 1];
    segments.push({ start: previous === undefined ? at - holdSeconds : Math.max(previous.at, at - holdSeconds), end: at, value });
  }
  return segments;
}

/**
 * How long a sample may stand for what follows, in seconds (model d.2): three times the export's nominal period, or where none
 * is stated three times the median spacing of its samples; at least 2 s, at most 15 min. Null if nothing says.
 */
export function defaultHold(nominalPeriodSeconds: number | null, samples: readonly Sample[]): number | null {
  const period = nominalPeriodSeconds ?? medianSpacing(samples);
  return period === null ? null : Math.min(Math.max(3 * period, 2), 900);
}

/** The parts of sorted segments that lie in the window and have a value, in order; O(n). */
export function knownWithin(segments: readonly Segment[], { start, end }: TimeWindow): readonly KnownSegment[] {
  const known: KnownSegment[] = [];
  for (const segment of segments) {
    if (!isKnown(segment) || segment.end <= start || segment.start >= end || segment.end <= segment.start) continue;
    if (segment.start >= start && segment.end <= end) known.push(segment);
    else known.push({ start: Math.max(segment.start, start), end: Math.min(segment.end, end), value: segment.value });
  }
  return known;
}

function isKnown(segment: Segment): segment is KnownSegment {
  return segment.value !== null;
}

function inOrderOnce(samples: readonly Sample[]): readonly Sample[] {
  const isInOrder = samples.every(({ at }, index) => index === 0 || (samples[index - 1]?.at ?? at) < at);
  if (isInOrder) return samples;
  const ordered = samples.toSorted((a, b) => a.at - b.at);
  return ordered.filter(({ at }, index) => ordered[index + 1]?.at !== at);
}

function medianSpacing(samples: readonly Sample[]): number | null {
  const ordered = inOrderOnce(samples);
  const spacings = ordered.slice(1).map(({ at }, index) => at - (ordered[index]?.at ?? at)).sort((a, b) => a - b);
  const middle = Math.floor(spacings.length / 2);
  const [below, above] = [spacings[middle - 1], spacings[middle]];
  if (above === undefined) return null;
  return spacings.length % 2 === 1 || below === undefined ? above : (below + above) / 2;
}
