import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { createProgress } from "./progress.ts";

test("without a terminal, each stage prints its title and a line per tenth", () => {
  const output = new PassThrough();
  const progress = createProgress(output as unknown as NodeJS.WriteStream);
  progress.begin({ title: "Reading 1.0 MB", total: 1_000 });
  for (const done of [10, 150, 199, 1_000]) progress.update(done);
  progress.begin({ title: "Storing 4 foods", total: 4 });
  for (const done of [0, 1, 4, 5]) progress.update(done);
  progress.stop();
  const lines = ["Reading 1.0 MB.", "  10 %", "  100 %", "Storing 4 foods.", "  20 %", "  100 %"];
  expect(String(output.read())).toBe(`${lines.join("\n")}\n`);
});
