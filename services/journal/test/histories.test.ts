import type { UserIdentity } from "@nutrition/core/user-identity";
import { estimate } from "@nutrition/test-support/fake-services";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, parse, readSummary, resultOf } from "./harness.ts";
import type { Harness, JournalInstance } from "./harness.ts";

const HISTORIES = process.env["NIGHTLY"] ? 2_000 : 200;

const USERS = 2;
/** Each client has a day that nobody else writes to; all share another one. */
const CLIENT_DATES = ["2026-11-18", "2026-11-19"] as const;
const SHARED_DATE = "2026-11-20";

let harness: Harness;
let instances: JournalInstance[];
beforeAll(async () => {
  harness = await createHarness();
  instances = [harness.journal, await harness.start()];
  // Each line states its own energy in hundredths: "food 1234" has 12.34 kcal.
  harness.analysis.answer = (line) => estimate({ calories: Number(line.split(" ")[1]) / 100 });
});
afterAll(() => harness[Symbol.asyncDispose]());

const amount = fc.integer({ min: 0, max: 99_999 });
const at = fc.nat({ max: 11 });
const onShared = fc.boolean();
const step = fc.oneof(
  fc.record({
    kind: fc.constant("log" as const),
    onShared,
    amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("edit" as const), onShared, at, amount }),
  fc.record({
    kind: fc.constant("merge" as const),
    onShared,
    ats: fc.uniqueArray(at, { minLength: 2, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("delete" as const), onShared, at }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A naive model of an item, with its energy in hundredths of a kcal. */
interface ModelItem {
  id: string;
  line: string;
  hundredths: number;
}

interface Client {
  user: UserIdentity;
  journal: JournalInstance;
  date: string;
  /** Its own day, as a plain list. */
  own: ModelItem[];
}

let lineNumber = 0;
function newLine(hundredths: number): string {
  lineNumber += 1;
  return `food ${hundredths} ${lineNumber}`;
}

/** Makes the call for a step on a day like `day`, or none when the day lacks its items. */
async function call({ user, journal }: Client, date: string, day: ModelItem[], given: Step) {
  const gateway = journal.client("gateway");
  if (given.kind === "log") {
    const lines = given.amounts.map(newLine);
    return { lines, answer: await logFood(journal, user, { foodText: lines.join("\n"), date }) };
  }
  if (given.kind === "merge") {
    const itemIds = day.filter((_, index) => given.ats.includes(index)).map(({ id }) => id);
    if (itemIds.length < 2) return undefined;
    const mergedText = newLine(0);
    const request = { itemIds, mergedText };
    return { lines: [mergedText], answer: await gateway.mergeFoodItems(request, as(user)) };
  }
  const itemId = day[given.at]?.id;
  if (itemId === undefined) return undefined;
  if (given.kind === "delete") {
    const request = { item: { itemId } };
    return { lines: [], answer: await gateway.deleteFoodItem(request, as(user)) };
  }
  const replacementText = newLine(given.amount);
  const request = { item: { itemId }, replacementText };
  return { lines: [replacementText], answer: await gateway.editFoodItem(request, as(user)) };
}

/** The day after a step whose items were found, by the rules of a plain list. */
function applied(day: ModelItem[], given: Step, lines: string[], result: any): ModelItem[] {
  if (given.kind === "log") {
    const added = given.amounts.map((hundredths, index): ModelItem => {
      return { id: result.items[index].id, line: lines[index]!, hundredths };
    });
    return [...day, ...added];
  }
  if (given.kind === "delete") return day.toSpliced(given.at, 1);
  if (given.kind === "edit") {
    const { id } = day[given.at]!;
    return day.with(given.at, { id, line: lines[0]!, hundredths: given.amount });
  }
  const chosen = day.filter((_, index) => given.ats.includes(index));
  const hundredths = chosen.reduce((sum, item) => sum + item.hundredths, 0);
  const [kept] = chosen;
  return day
    .filter((item) => item === kept || !chosen.includes(item))
    .map((item) => (item === kept ? { id: item.id, line: lines[0]!, hundredths } : item));
}

async function read({ user, journal }: Client, date: string): Promise<ModelItem[]> {
  const { entries, totals } = await readSummary(journal, user, date);
  const items = entries[0]?.items ?? [];
  expect(entries).toHaveLength(items.length === 0 ? 0 : 1);
  expect(items.map((item: any) => item.line_index)).toEqual(items.map((_: any, at: number) => at));
  const day: ModelItem[] = items.map(toModel);
  if (entries[0]) expect(entries[0].food_text).toBe(day.map(({ line }) => line).join("\n"));
  expect(totals.calories).toBe(day.reduce((sum, { hundredths }) => sum + hundredths, 0) / 100);
  return day;
}

/** Of a FoodItem. */
function toModel({ id, description, calories }: any): ModelItem {
  return { id, line: description, hundredths: Math.round(calories * 100) };
}

/** Refusals caused by another client's changes in the meantime. */
const OVERTAKEN = ["item_not_found", "item_changed"];

async function take(client: Client, given: Step): Promise<void> {
  if (!given.onShared) {
    const made = await call(client, client.date, client.own, given);
    if (made) client.own = applied(client.own, given, made.lines, resultOf(made.answer));
  } else {
    const made = await call(client, SHARED_DATE, await read(client, SHARED_DATE), given);
    const outcome = made?.answer.outcome;
    if (outcome?.case === "refusal") expect(OVERTAKEN).toContain(outcome.value.code);
  }
  expect(await read(client, client.date)).toEqual(client.own);
  await read(client, SHARED_DATE);
}

/**
 * Replays the shared day from its audit records: each must start from the items that the previous one left.
 */
async function replay({ accountId }: UserIdentity): Promise<ModelItem[]> {
  const request = { accountId, date: SHARED_DATE, pageSize: 500 };
  const { mutations } = await harness.journal.client("admin").listMutations(request, as());
  let day: ModelItem[] = [];
  for (const { beforeJson, afterJson } of mutations.toReversed()) {
    const [before, after] = [parse(beforeJson), parse(afterJson)];
    for (const item of before) expect(day[item.line_index]).toEqual(toModel(item));
    const [kept, ...removed] = before.map(({ id }: any) => id);
    if (kept === undefined) day = [...day, ...after.map(toModel)];
    else if (after.length === 0) day = day.filter(({ id }) => id !== kept);
    else {
      day = day
        .filter(({ id }) => !removed.includes(id))
        .map((item) => (item.id === kept ? toModel(after[0]) : item));
    }
  }
  return day;
}

const CLIENTS = USERS * CLIENT_DATES.length;
const history = fc.array(step, { maxLength: 12 });
const histories = fc.array(history, { minLength: CLIENTS, maxLength: CLIENTS });

test("reads match plain lists after any history of writes by several clients of several users", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (given) => {
      const users = Array.from({ length: USERS }, newUser);
      const clients = users.flatMap((user) =>
        CLIENT_DATES.map((date, index): Client => {
          return { user, journal: instances[index]!, date, own: [] };
        }),
      );
      const runs = clients.map(async (client, index) => {
        for (const next of given[index]!) await take(client, next);
      });
      await Promise.all(runs);
      for (const client of clients) {
        expect(await read(client, SHARED_DATE)).toEqual(await replay(client.user));
      }
    }),
    { numRuns: HISTORIES / CLIENTS },
  );
}, 600_000);
