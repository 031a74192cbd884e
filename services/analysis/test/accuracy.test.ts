import { existsSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import type { LabelledLine } from "./score.ts";
import { LABEL_FILES, ownLabelledLines, readLabelledLines, scoreLine, scoresOf } from "./score.ts";
import { sharedData } from "./shared-data.ts";

const { estimate } = await openTable();

function estimated(lines: readonly LabelledLine[]) {
  return lines.map((line) => scoreLine(line, estimate(line.text)));
}

describe("the confidence", () => {
  it.each(LABEL_FILES)("is about the share of right answers in our own %s", (file) => {
    const { calibrationError } = scoresOf(estimated(ownLabelledLines(file)));
    expect(calibrationError).toBeLessThanOrEqual(0.08);
  });
});

describe("estimates of our own labelled lines", () => {
  const scored = estimated(ownLabelledLines("lines"));
  const scores = scoresOf(scored);

  it("are close in calories and carbohydrate, and not biased", () => {
    expect(scores.answered).toBeGreaterThanOrEqual(0.97);
    expect(scores.close).toBeGreaterThanOrEqual(0.88);
    expect(scores.carbsClose).toBeGreaterThanOrEqual(0.92);
    expect(Math.abs(scores.bias)).toBeLessThanOrEqual(0.05);
  });

  it.each([...new Set(scored.map(({ line }) => line.kind))])("are close for %s", (kind) => {
    const ofKind = scored.filter(({ line }) => line.kind === kind);
    expect(scoresOf(ofKind).close).toBeGreaterThanOrEqual(0.8);
  });

  it("are right if they are confident, and confident about most lines", () => {
    expect(scores.sure).toBeGreaterThanOrEqual(0.65);
    expect(scores.closeWhenSure).toBeGreaterThanOrEqual(0.96);
  });
});

const DEVELOPMENT_ROWS = sharedData("nutrition-dev.jsonl");

describe.skipIf(!existsSync(DEVELOPMENT_ROWS))("estimates of the development rows", () => {
  it("are close in calories and carbohydrate, and not biased", () => {
    const scores = scoresOf(estimated(readLabelledLines(DEVELOPMENT_ROWS)));
    expect(scores.answered).toBeGreaterThanOrEqual(0.97);
    expect(scores.close).toBeGreaterThanOrEqual(0.88);
    expect(scores.carbsClose).toBeGreaterThanOrEqual(0.92);
    expect(Math.abs(scores.bias)).toBeLessThanOrEqual(0.05);
  });
});
