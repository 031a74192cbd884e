import { afterAll, describe, expect, it, test } from "vitest";

import { StallJudge } from "@nutrition/core/stall-judge";
import { FoodService } from "./food-service.ts";

const readerThread = new URL("./costly-thread.ts", import.meta.url);
const warnings: string[] = [];
const log = (_: object, message: string) => void warnings.push(message);
const logger = { debug: () => {}, info: () => {}, warn: log, error: log };
const service = await FoodService.start({ readerThread, logger });
afterAll(() => service[Symbol.asyncDispose]());

/** More CPU time than any line may take before the thread is terminated. */
const BLOCKS = "burn 20000 ms";
const RESTARTED = "the reader of food text has ended; starting another one";

/** Each line's energy, or "costly", or "refused". */
async function outcomesOf(lines: string[], details = ""): Promise<(number | string)[]> {
  const reply = await service.ask({ lines, details });
  return reply.lines.map(({ outcome }) => {
    if (outcome.case === "estimate") return Math.round(outcome.value.nutrients?.calories ?? 0);
    return outcome.value?.costly ? "costly" : "refused";
  });
}

const EGG_KCAL = 72;

describe("a line that blocks the reader", () => {
  it("is refused by name, and everybody else's lines are answered by the next thread", async () => {
    warnings.length = 0;
    const all = await Promise.all([
      outcomesOf(["1 boiled egg"]),
      outcomesOf(["1 boiled egg", BLOCKS, "1 banana"]),
      ...Array.from({ length: 20 }, () => outcomesOf(["1 boiled egg"])),
    ]);
    expect(all[1]).toEqual(["refused", "costly", "refused"]);
    expect(all.toSpliced(1, 1).flat()).toEqual(Array(21).fill(EGG_KCAL));
    expect(warnings).toEqual([RESTARTED]);
  });

  it("ends the thread once, however many calls with that line wait", async () => {
    warnings.length = 0;
    const same = await Promise.all([1, 2, 3].map(() => outcomesOf([BLOCKS, "1 boiled egg"])));
    expect(same).toEqual([1, 2, 3].map(() => ["costly", "refused"]));
    expect(warnings).toEqual([RESTARTED]);
  });

  it("in the details of several lines is a matter of all of them", async () => {
    expect(await outcomesOf(["1 boiled egg", "1 banana"], BLOCKS)).toEqual(["costly", "costly"]);
    expect(await outcomesOf(["1 boiled egg"])).toEqual([EGG_KCAL]);
  });

  it("in a search is refused, too", async () => {
    await expect(service.search(BLOCKS)).rejects.toMatchObject({ reason: "COSTLY_QUERY" });
    expect(await service.names("banana", 1)).toHaveLength(1);
  });

  it("is ended though its caller gave up and nobody else calls", async () => {
    warnings.length = 0;
    const givenUp = service.ask({ lines: [BLOCKS] }, { timeoutMs: 300 });
    await expect(givenUp).rejects.toMatchObject({ kind: "deadline_exceeded" });
    await expect.poll(() => warnings, { timeout: 20_000 }).toEqual([RESTARTED]);
  });

  it("makes the service report that it accepts no calls until the next thread answers", async () => {
    const blocked = outcomesOf([BLOCKS]);
    await expect.poll(() => service.isServing(), { timeout: 20_000 }).toBe(false);
    expect(await blocked).toEqual(["costly"]);
    await expect.poll(() => service.isServing(), { timeout: 20_000 }).toBe(true);
  });
});

test("a line that takes too long but ends is refused, and the thread goes on", async () => {
  warnings.length = 0;
  expect(await outcomesOf(["burn 300 ms", "1 boiled egg"])).toEqual(["costly", "refused"]);
  expect(await outcomesOf(["1 boiled egg", "burn 50 ms"])).toEqual([EGG_KCAL, "refused"]);
  expect(warnings).toEqual(["a line took too long to read"]);
});

test("a line that ends the thread is refused, and the next thread answers", async () => {
  const [crashed, egg] = await Promise.all([outcomesOf(["crash"]), outcomesOf(["1 boiled egg"])]);
  expect(crashed).toEqual(["costly"]);
  expect(egg).toEqual([EGG_KCAL]);
});

describe("only CPU time", () => {
  it("of one section counts, however long it lasts", () => {
    const judge = new StallJudge(1_000);
    expect(judge.isStalled({ section: 1, cpuMs: 100 })).toBe(false);
    expect(judge.isStalled({ section: 1, cpuMs: 1_100 })).toBe(false);
    expect(judge.isStalled({ section: 1, cpuMs: 1_101 })).toBe(true);
  });

  it("since the section began counts", () => {
    const judge = new StallJudge(1_000);
    for (let section = 1; section < 100; section += 1) {
      expect(judge.isStalled({ section, cpuMs: section * 900 })).toBe(false);
      expect(judge.isStalled({ section, cpuMs: section * 900 + 800 })).toBe(false);
    }
  });
});
