// Real numbers as bars.
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  below: boolean; // zero
}

/** From where to where the bars go. Pictures that are compared share one. */
export type Scale = [low: number, high: number];

export function scaleOfValues(values: number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return low === high ? [0, 1] : [low, high];
}

/** How far down a value is in a picture of that height. */
export const heightOf = (value: number, [low, high]: Scale, height: number): number => height - ((value - low) / (high - low)) * height;

/** A bar for each number, from the upper left corner. */
export function barBoxes(values: number[], scale: Scale, width: number, height: number): Box[] {
  const step = width / values.length;
  const zero = heightOf(0, scale, height);
  return values.map((value, i) => {
    const top = heightOf(value, scale, height);
    return { x: (i + 0.12) * step, y: Math.min(top, zero), width: 0.76 * step, height: Math.max(0.5, Math.abs(top - zero)), below: value < 0 };
  });
}
