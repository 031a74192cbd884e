import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

test("audit records are paged newest first, by day, and only for their owner", async () => {
  const user = newUser();
  await logFood(harness.journal, newUser(), { foodText: "egg" });
  for (const [requestId, date] of [
    ["one", "2026-11-01"],
    ["two", "2026-11-02"],
    ["three", "2026-11-01"],
  ] as const) {
    await logFood(harness.journal, user, { foodText: requestId, date, requestId });
  }
  const list = async (request: object) => {
    const web = harness.journal.client("web");
    const { mutations, nextPageToken } = await web.listMutations(request, signedIn(user));
    return { ids: mutations.map(({ requestId }) => requestId), nextPageToken };
  };
  const first = await list({ pageSize: 2 });
  expect(first.ids).toEqual(["three", "two"]);
  const { nextPageToken: pageToken } = first;
  expect(await list({ pageSize: 2, pageToken })).toEqual({ ids: ["one"], nextPageToken: "" });
  expect((await list({ date: "2026-11-01" })).ids).toEqual(["three", "one"]);
});

test.each([{ pageSize: 501 }, { pageSize: -1 }, { pageToken: "next" }, { date: "today" }])(
  "refuses a page requested with %o",
  async (request) => {
    const listing = harness.journal.client("web").listMutations(request, signedIn(newUser()));
    await expect(listing).rejects.toMatchObject({ kind: "invalid_argument" });
  },
);

test("a key may not read audit records", async () => {
  const listing = harness.journal.client("web").listMutations({}, as(newUser()));
  await expect(listing).rejects.toMatchObject({ kind: "permission_denied" });
});
