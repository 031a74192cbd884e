import { expect, test } from "vitest";

import { parseRange, windowsOf } from "./export-range.ts";

const form = { from: "2026-01-01", to: "2026-01-31", content: "days", format: "csv" };

test("accepts a range of up to ten years", () => {
  expect(parseRange(form)).toEqual({ range: form });
  expect(parseRange({ ...form, from: "2016-01-25", to: "2026-01-31" })).toHaveProperty("range");
});

test.each([
  [{ from: "2026-02-30" }, "from"],
  [{ to: "" }, "to"],
  [{ from: "2026-02-01" }, "to"],
  [{ from: "2016-01-24" }, "to"],
  [{ content: "everything" }, "content"],
  [{ format: "xml" }, "format"],
])("explains what is wrong with %o", (change, field) => {
  expect(parseRange({ ...form, ...change })).toHaveProperty(["errors", field]);
});

test("windows cover each day of the range once", () => {
  expect([...windowsOf({ from: "2026-01-30", to: "2026-02-03" }, 2)]).toEqual([
    { startDate: "2026-01-30", endDate: "2026-01-31" },
    { startDate: "2026-02-01", endDate: "2026-02-02" },
    { startDate: "2026-02-03", endDate: "2026-02-03" },
  ]);
});
