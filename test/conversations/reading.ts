import { expect, it } from "vitest";

import type { System } from "../e2e/system.ts";
import { converse } from "./conversation.ts";

const DEMO = { name: "demo", isDemo: true };

/** Conversations in which the person asks questions. */
export function describeReading(running: () => System): void {
  it("my average protein this week: one call without items", async () => {
    const entries = await newestDays(running(), 7);
    await converse(running(), DEMO, 1, async ({ call }) => {
      const args = { start_date: entries.at(-1)?.date, include_items: false };
      const text = await call("list_food_entries", args);
      const days = [...text.matchAll(/^(\d{4}-\d\d-\d\d) .*protein ([\d.]+) g/gm)];
      expect(days.map(([, date, protein]) => [date, Number(protein)])).toEqual(
        entries.map(({ date, totals }) => [date, totals.protein]),
      );
      expect(text).not.toContain("item_id");
    });
  });

  it("how much is left today: one call", async () => {
    await converse(running(), DEMO, 1, async ({ call }) => {
      const text = await call("get_nutrition_summary");
      expect(text).toMatch(/^Day totals: [\d.]+ kcal, protein [\d.]+ g, .*water [\d.]+ ml$/m);
      expect(text).toMatch(/^Daily goals: [\d.]+ kcal/m);
      expect(text).toMatch(/^Left of the goals: [\d.]+ kcal( over)?, protein [\d.]+ g/m);
    });
  });

  it("two weeks with everything eaten: as many calls as there are full replies", async () => {
    const start_date = (await newestDays(running(), 14)).at(-1)?.date;
    await converse(running(), DEMO, 3, async ({ call }) => {
      const days = new Set<string>();
      let end_date: string | undefined;
      do {
        const text = await call("list_food_entries", { start_date, end_date });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
        for (const [, day = ""] of text.matchAll(/^(\d{4}-\d\d-\d\d) \(/gm)) days.add(day);
        end_date = /^This reply is full.*end_date (\S+)\.$/m.exec(text)?.[1];
      } while (end_date !== undefined);
      expect(days.size).toBe(14);
    });
  });

  it("do I lose weight: one call", async () => {
    await converse(running(), DEMO, 1, async ({ call }) => {
      const text = await call("list_weight_history");
      expect([...text.matchAll(/^- \d{4}-\d\d-\d\d: [\d.]+ kg/gm)].length).toBeGreaterThan(7);
    });
  });

  it("what are my goals and where am I: one call", async () => {
    await converse(running(), DEMO, 1, async ({ call }) => {
      const text = await call("get_profile");
      expect(text).toMatch(/^Daily goals: [\d.]+ kcal/m);
      expect(text).toMatch(/^Health profile: .*height [\d.]+ cm/m);
    });
  });

  it("no time zone was chosen: every day says so, and where to choose one", async () => {
    const person = { name: "no zone", flags: ["--premium"] };
    await converse(running(), person, 2, async ({ call }) => {
      const hint = `${running().baseUrl}/settings/profile`;
      expect(await call("log_food", { food_text: "1 apple" })).toContain(hint);
      expect(await call("get_nutrition_summary")).toContain(hint);
    });
  });
}

/** The newest days of the demo account over REST. */
async function newestDays(system: System, limit: number) {
  const { api_key } = await system.demo();
  const { body } = await system.get(`/api/v1/food-entries?limit=${limit}`, api_key);
  return (body as { entries: { date: string; totals: { protein: number } }[] }).entries;
}
