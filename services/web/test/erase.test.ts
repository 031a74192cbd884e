import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { PersonOutcome } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import { makeMember, signInMember } from "./members.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, impatientClock, startWebFixture } from "./web-fixture.ts";

const PAGE = "/settings/erase";
const UNDERSTOOD = { understood: "yes" };
let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture({ clock: impatientClock })));
afterAll(() => web[Symbol.asyncDispose]());

/** A person whom the identity provider knows, with a line in the journal, in a browser. */
async function setup() {
  const member = await makeMember(web);
  const browser = await signInMember(web, member);
  const selector = { case: "email" as const, value: member.email };
  const { account } = await web.as("admin").auth.getAccount({ selector }, CALL);
  const accountId = account!.id;
  const write = { accountId, origin: Origin.SEED, requestId: newId(), date: "2026-06-15" };
  await web.as("admin").journal.logFood({ ...write, foodText: "porridge" }, CALL);
  return { member, browser, accountId };
}

const exists = async (accountId: string) => {
  const selector = { case: "accountId" as const, value: accountId };
  const found = web.as("admin").auth.getAccount({ selector }, CALL);
  return found.then(
    () => true,
    () => false,
  );
};

async function endWaiting(accountId: string): Promise<void> {
  await web.backends.databases.auth.database.query(sql`
    update erasures set erase_at = now(), due_at = now() where account_id = ${accountId}
  `);
}

async function erasuresOf(accountId: string): Promise<number> {
  const { database } = web.backends.databases.auth;
  const rows = await database.query(sql`select from erasures where account_id = ${accountId}`);
  return rows.length;
}

async function entriesOf(accountId: string): Promise<number> {
  const { database } = web.backends.databases.journal;
  const rows = await database.query(sql`select from entries where account_id = ${accountId}`);
  return rows.length;
}

async function ask(browser: Browser): Promise<string> {
  const answer = await browser.follow(await browser.post(PAGE, UNDERSTOOD));
  expect(answer.status).toBe(200);
  return visibleText(answer.text);
}

test("an account is erased everywhere at the end of its waiting period, and not before", async () => {
  const { member, browser, accountId } = await setup();
  expect(await ask(browser)).toContain("Your account is going to be erased");
  expect(await exists(accountId)).toBe(true);
  await endWaiting(accountId);
  await expect.poll(() => erasuresOf(accountId)).toBe(0);
  expect(await exists(accountId)).toBe(false);
  expect(await entriesOf(accountId)).toBe(0);
  expect((await browser.get("/journal")).location).toContain("/sign-in");
  // The identity provider has forgotten the person, too.
  expect((await web.visitor().post("/sign-in", { ...member })).status).toBe(400);
});

test("every page announces the erasure until the person keeps the account, in any browser", async () => {
  const { member, browser, accountId } = await setup();
  await ask(browser);
  const other = await signInMember(web, member);
  for (const path of ["/journal", "/settings/keys"])
    expect(visibleText((await other.get(path)).text)).toContain(
      "Your account is going to be erased",
    );
  const kept = await other.follow(await other.post(`${PAGE}/keep`));
  expect(visibleText(kept.text)).toContain("Your account stays.");
  expect(await erasuresOf(accountId)).toBe(0);
  expect(visibleText((await browser.get("/journal")).text)).not.toContain("going to be erased");
});

test("is announced above every other notice, on pages that belong to the profile", async () => {
  const { browser, accountId } = await setup();
  await web.backends.databases.auth.database.query(sql`
    insert into sign_in_methods (account_id, method, first_seen_at)
    values (${accountId}, 'message', now() + interval '1 second')
  `);
  await ask(browser);
  for (const path of ["/settings/export", "/settings/access"]) {
    const { text } = await browser.get(path);
    expect(visibleText(text)).toMatch(/going to be erased.*Was it you\?/);
    expect(text).toContain('<a href="/settings/profile" aria-current="true">');
  }
});

test("a second request does not change the date of the erasure", async () => {
  const { browser, accountId } = await setup();
  await ask(browser);
  const { database } = web.backends.databases.auth;
  const dates = () =>
    database.query(sql`select erase_at from erasures where account_id = ${accountId}`);
  const [first] = await dates();
  await ask(browser);
  expect(await dates()).toEqual([first]);
  await browser.post(`${PAGE}/keep`);
});

test("scheduling an erasure needs a recent sign-in, the form's secret and the ticked box", async () => {
  const { browser, accountId } = await setup();
  expect((await browser.post(PAGE, {})).status).toBe(400);
  expect((await browser.post(PAGE, { ...UNDERSTOOD, csrf: "" })).status).toBe(403);
  await web.ageSignIns("11 minutes", { accountId, email: "", name: "" });
  expect((await browser.post(PAGE, UNDERSTOOD)).location).toContain("/sign-in?done=again");
  expect(await erasuresOf(accountId)).toBe(0);
});

test("an interrupted erasure continues with the next lease", async () => {
  const { browser, accountId } = await setup();
  await ask(browser);
  const { database } = web.backends.databases.limits;
  await database.query(sql`alter table usage_events rename to usage_events_away`);
  try {
    await endWaiting(accountId);
    await expect.poll(() => exists(accountId)).toBe(false);
    expect(await erasuresOf(accountId)).toBe(1);
  } finally {
    await database.query(sql`alter table usage_events_away rename to usage_events`);
  }
  await endWaiting(accountId);
  await expect.poll(() => erasuresOf(accountId)).toBe(0);
});

test("a begun erasure cannot be cancelled, and erases only that account", async () => {
  const { browser, accountId } = await setup();
  const other = await setup();
  await ask(browser);
  await web.backends.databases.auth.database.query(sql`
    update erasures set begun_at = now() where account_id = ${accountId}
  `);
  const refused = await browser.post(`${PAGE}/keep`);
  expect(visibleText(refused.text)).toContain("cannot be stopped");
  await endWaiting(accountId);
  await expect.poll(() => erasuresOf(accountId)).toBe(0);
  expect(await exists(other.accountId)).toBe(true);
  expect(await entriesOf(other.accountId)).toBe(1);
});

describe("an operator's erasure", () => {
  const erase = (accountId: string) => web.as("admin").auth.eraseAccount({ accountId }, CALL);

  test("deletes the person at the identity provider, too, and tells the operator", async () => {
    const { member, accountId } = await setup();
    await erase(accountId);
    // Either this call or the worker of the pages does it.
    const outcome = await web.finishErasure(accountId);
    expect([PersonOutcome.DELETED, PersonOutcome.ELSEWHERE]).toContain(outcome);
    await expect.poll(() => erasuresOf(accountId)).toBe(0);
    expect((await web.visitor().post("/sign-in", { ...member })).status).toBe(400);
  });

  test("does not wait when the person had asked for their own", async () => {
    const { member, browser, accountId } = await setup();
    await ask(browser);
    await erase(accountId);
    await expect.poll(() => erasuresOf(accountId)).toBe(0);
    expect((await web.visitor().post("/sign-in", { ...member })).status).toBe(400);
  });

  test("is finished for operators only, and never begun by them through the pages", async () => {
    const { browser, accountId } = await setup();
    await ask(browser);
    expect(await web.finishErasure(accountId)).toBe(PersonOutcome.ELSEWHERE);
    expect(await exists(accountId)).toBe(true);
    await expect(web.finishErasure(accountId, "gateway")).rejects.toMatchObject({
      kind: "permission_denied",
    });
    await expect(web.finishErasure("everybody")).rejects.toMatchObject({ reason: "INVALID_ID" });
  });
});
