// What observations are, and how they travel: one text each, as src/view/view.h says. A digit per element where there are at
// most ten values in one channel ("000012"), base64 of the bytes of pixels, else numbers with commas ("3,0,12").
export type Kind = "categorical" | "pixels" | "real";
export type Layout = "grid" | "sequence" | "number" | "image" | "vector";

export interface Space {
  kind: Kind;
  layout: Layout;
  shape: number[]; // [rows, columns], [rows, columns, channels], [tokens], [digits], [numbers]
  values?: number[]; // categorical: how many, one count or one per channel
  padded?: boolean; // the last value stands for nothing there
  symbols?: string[]; // how values are written where that is not their number
}

export const sizeOf = (space: Space): number => space.shape.reduce((a, b) => a * b, 1);
export const channelsOf = (space: Space): number => (space.shape.length === 3 ? space.shape[2]! : 1);
export const rowsOf = (space: Space): number => (space.shape.length >= 2 ? space.shape[0]! : 1);
export const columnsOf = (space: Space): number => sizeOf(space) / channelsOf(space) / rowsOf(space);
export const sameSpace = (a: Space, b: Space): boolean => JSON.stringify(a) === JSON.stringify(b);

/** How many values an element may have; categorical only. */
export function valuesAt(space: Space, element: number): number {
  const counts = space.values ?? [];
  return counts.length === 1 ? counts[0]! : counts[element % channelsOf(space)]!;
}

export const mostValues = (space: Space): number => Math.max(0, ...(space.values ?? []));

/** The value that stands for nothing, or -1. */
export const paddingAt = (space: Space, element: number): number => (space.padded ? valuesAt(space, element) - 1 : -1);

const isCompact = (space: Space): boolean => space.kind === "categorical" && channelsOf(space) === 1 && mostValues(space) <= 10;

/** The elements of an observation; null where the text is none of this space. */
export function parse(space: Space, text: string): number[] | null {
  const values = space.kind === "pixels" ? parseBytes(text) : isCompact(space) ? digits(text) : numbers(text);
  if (values === null || values.length !== sizeOf(space)) return null;
  if (space.kind === "real") return values.every((value) => Number.isFinite(Math.fround(value))) ? values : null;
  const most = (i: number) => (space.kind === "pixels" ? 256 : valuesAt(space, i));
  return values.every((value, i) => Number.isInteger(value) && value >= 0 && value < most(i)) ? values : null;
}

export function serialize(space: Space, values: ArrayLike<number>): string {
  if (space.kind === "pixels") return bytesToText(values);
  const list = Array.from(values);
  if (space.kind === "real") return list.map(realText).join(",");
  return list.join(isCompact(space) ? "" : ",");
}

function parseBytes(text: string): number[] | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return Array.from(atob(text), (c) => c.charCodeAt(0));
}

function bytesToText(bytes: ArrayLike<number>): string {
  let binary = "";
  for (let i = 0; i < bytes.length; ++i) binary += String.fromCharCode(bytes[i]!);
  return btoa(binary);
}

const digits = (text: string): number[] | null => (/^[0-9]+$/.test(text) ? Array.from(text, Number) : null);

const kNumber = /^-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i;

function numbers(text: string): number[] | null {
  const words = text.split(",");
  return words.every((word) => kNumber.test(word)) ? words.map(Number) : null;
}

/** The shortest text that gives the same 32-bit float. */
export function realText(value: number): string {
  const single = Math.fround(value);
  for (let precision = 1; precision <= 9; ++precision) {
    const short = Number(single.toPrecision(precision));
    if (Math.fround(short) === single) return String(short === 0 ? 0 : short).replace("e+", "e");
  }
  return String(single).replace("e+", "e");
}

/** A human-readable number: at most `precision` digits that matter. */
export const roughly = (value: number, precision = 3): string => String(Number(value.toPrecision(precision))).replace("-", "−");

export function emptyObservation(space: Space): string {
  const fill = (i: number): number => {
    if (space.kind === "pixels") return channelsOf(space) === 4 && i % 4 === 3 ? 255 : 200;
    return 0;
  };
  return serialize(space, Array.from({ length: sizeOf(space) }, (_, i) => fill(i)));
}

export const replaced = (values: number[], at: number, value: number): number[] => values.map((old, i) => (i === at ? value : old));

/** Share of elements that differ (categorical), mean L1 on [0, 1] (pixels), root mean square (real). */
export function difference(space: Space, a: string, b: string): number {
  const [one, other] = [parse(space, a), parse(space, b)];
  if (!one || !other) return Infinity;
  let total = 0;
  one.forEach((value, i) => {
    const gap = Math.abs(value - other[i]!);
    total += space.kind === "real" ? gap * gap : space.kind === "pixels" ? gap / 255 : Number(gap > 0);
  });
  const mean = total / one.length;
  return space.kind === "real" ? Math.sqrt(mean) : mean;
}

/** How a value is written: its symbol, or its number. Nothing there is the empty text. */
export function symbolOf(space: Space, value: number, element = 0): string {
  if (value === paddingAt(space, element)) return "";
  return space.symbols?.[value] ?? String(value);
}

// Digits of numbers in bases up to 36.
export const digitCharacter = (value: number): string => value.toString(36);

/** A number as people write it, without leading zeros. */
export function numberText(space: Space, text: string): string {
  const values = parse(space, text);
  return values ? values.map(digitCharacter).join("").replace(/^0+(?=.)/, "") : text;
}

