import { expect, it } from "vitest";

import { smoothWeights } from "./weight-trend.ts";

const DAY_MS = 86_400_000;

it("a weight moves the trend by a tenth of the distance each day", () => {
  const points = smoothWeights([
    { at: 0, kilograms: 80 },
    { at: DAY_MS, kilograms: 70 },
    { at: 3 * DAY_MS, kilograms: 70 },
  ]);
  expect(points.map(({ trend }) => Number(trend.toFixed(4)))).toEqual([80, 79, 77.29]);
});

it("the trend stays within the weights", () => {
  const weights = Array.from({ length: 100 }, (_, index) => ({
    at: index * 7 * DAY_MS,
    kilograms: 60 + ((index * 7) % 13),
  }));
  for (const { trend } of smoothWeights(weights)) {
    expect(trend).toBeGreaterThanOrEqual(60);
    expect(trend).toBeLessThanOrEqual(73);
  }
});

it("without weights there is no trend", () => expect(smoothWeights([])).toEqual([]));
