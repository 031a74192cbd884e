/** One bar of a sparkline, in the units of the drawing. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 1;
/** Minimum height, so that every count above 0 is visible. */
const LEAST_HEIGHT = 1;

/** Computes a bar for each count, scaled to the largest; counts of 0 have none. */
export function sparklineBars(
  counts: readonly number[],
  { width, height }: { width: number; height: number },
): Bar[] {
  const most = Math.max(...counts);
  const step = width / counts.length;
  return counts.flatMap((count, index) => {
    if (count <= 0) return [];
    const barHeight = round(Math.max(LEAST_HEIGHT, (count / most) * height));
    return [
      {
        x: round(index * step),
        y: round(height - barHeight),
        width: round(step - GAP),
        height: barHeight,
      },
    ];
  });
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
