import fc from "fast-check";
import { expect, it } from "vitest";

import { decimal } from "./decimal.ts";

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
