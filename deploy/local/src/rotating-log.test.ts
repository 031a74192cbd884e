import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { RotatingLog } from "./rotating-log.ts";

const BYTES_MAX = 40;

/** Content of the files, oldest first; empty for a missing file. */
function contentsOf(folder: string): string[] {
  return ["a.2.log", "a.1.log", "a.log"].map((name) => {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      return "";
    }
  });
}

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("keeps the latest lines whole and in order, in three files of bounded size", () => {
  const line = fc.string({ unit: "grapheme-ascii", maxLength: 15 }).map((text) => `${text}\n`);
  const cut = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), cut, (lines, chunkBytes) => {
      inFolder((folder) => {
        const log = new RotatingLog(join(folder, "a.log"), BYTES_MAX);
        const written = Buffer.from(lines.join(""));
        for (let at = 0; at < written.length; at += chunkBytes) {
          log.write(written.subarray(at, at + chunkBytes));
        }
        const contents = contentsOf(folder);
        const kept = contents.join("");
        expect(written.toString().endsWith(kept)).toBe(true);
        if (written.length <= 2 * BYTES_MAX) expect(kept).toBe(written.toString());
        for (const content of contents) {
          expect(content.length).toBeLessThan(BYTES_MAX + chunkBytes + 16);
          if (content !== "") expect(content).toMatch(/\n$/);
        }
      });
    }),
    { numRuns: 50 },
  );
});

test("keeps the output of earlier starts beside the new file", () => {
  inFolder((folder) => {
    for (const text of ["one\n", "two\n", "three\n", "four\n"]) {
      new RotatingLog(join(folder, "a.log"), BYTES_MAX).write(Buffer.from(text));
    }
    expect(contentsOf(folder)).toEqual(["two\n", "three\n", "four\n"]);
  });
});
