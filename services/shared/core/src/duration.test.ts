import { expect, test } from "vitest";

import { formatDuration, formatWindow } from "./duration.ts";

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [121, "3 minutes"],
  [7_199, "120 minutes"],
  [7_201, "3 hours"],
  [172_800, "2 days"],
  [200_000, "3 days"],
])("formats %d seconds as %s", (seconds, told) => {
  expect(formatDuration(seconds)).toBe(told);
});

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [600, "10 minutes"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [2_592_000, "30 days"],
])("formats a window of %d seconds as %s", (seconds, told) => {
  expect(formatWindow(seconds)).toBe(told);
});
