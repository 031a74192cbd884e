import fc from "fast-check";
import { expect, it } from "vitest";

import { decimal, endingsOf } from "./decimal.ts";

it("writes any number as String does", () => {
  const hundredths = fc.integer({ min: -1e6, max: 2e9 }).map((count) => count / 100);
  fc.assert(
    fc.property(fc.oneof(hundredths, fc.double()), (figure) => {
      expect(decimal(figure)).toBe(String(figure));
    }),
    { numRuns: 2_000 },
  );
});

it.each([0, -0, 0.01, 0.1, 0.99, 1.005, 0.29, 1e7, 1e7 + 0.01, -12.5, 1e21, NaN, Infinity])(
  "writes %d as String does",
  (figure) => expect(decimal(figure)).toBe(String(figure)),
);

it("ends with the given text whether the figure has decimals or not", () => {
  const grams = endingsOf(" g");
  const texts = [0, 12, 12.5, 0.29, -1.5, 1e10].map((figure) => decimal(figure, grams));
  expect(texts).toEqual(["0 g", "12 g", "12.5 g", "0.29 g", "-1.5 g", "10000000000 g"]);
});
