import fc from "fast-check";
import { expect, test } from "vitest";

import { sparklineBars } from "./sparkline.ts";

const SIZE = { width: 180, height: 36 };

test("the busiest day is as high as the drawing, a day without requests has no bar", () => {
  const [half, full] = sparklineBars([0, 5, 10], { width: 30, height: 20 });
  expect(half).toEqual({ x: 10, y: 10, width: 9, height: 10 });
  expect(full).toEqual({ x: 20, y: 0, width: 9, height: 20 });
  expect(sparklineBars([0, 0], SIZE)).toEqual([]);
});

test("every day with requests has a visible bar within the drawing", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 30, maxLength: 30 }), (counts) => {
      const bars = sparklineBars(counts, SIZE);
      expect(bars).toHaveLength(counts.filter((count) => count > 0).length);
      for (const { x, y, width, height } of bars) {
        expect(height).toBeGreaterThanOrEqual(1);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(SIZE.width);
      }
    }),
  );
});
