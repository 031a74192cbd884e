import { Failure } from "@nutrition/core/failure";
import { expect, it } from "vitest";

import { decodeFailure, encodeFailure } from "./status.ts";

it("rounds a fractional retry delay up to whole milliseconds", () => {
  const failure = new Failure("unavailable", "AWAY", "Away.", { retryAfterMs: 1_200.25 });
  expect(decodeFailure(encodeFailure(failure)).retryAfterMs).toBe(1_201);
});
