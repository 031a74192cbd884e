import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, makeKey, someEmail, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function profileOf(accountId: string): Promise<unknown> {
  const { json } = await fixture.gateway.getProfile({}, asPerson(accountId));
  return JSON.parse(Buffer.from(json).toString());
}

test("the profile has exactly the public fields, with null for unknown values", async () => {
  const email = someEmail();
  const { account } = await fixture.admin.createAccount({ email, hasPremium: true }, CALL);
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(await profileOf(account!.id)).toStrictEqual({
    id: account!.id,
    name: null,
    email,
    avatar_url: null,
    has_premium: true,
    is_beta_tester: false,
    created_at: moment,
    updated_at: moment,
  });
});

test("the profile of an erased account is not found", async () => {
  const profile = fixture.gateway.getProfile({}, asPerson(randomUUID()));
  await expect(profile).rejects.toMatchObject({ reason: "ACCOUNT_NOT_FOUND" });
});

test("an account is found by id, and by its address in any case", async () => {
  const email = `Ana.${randomUUID()}@Example.com`;
  const { account } = await fixture.admin.createAccount({ email, name: "Ana" }, CALL);
  const byEmail = { case: "email", value: email.toUpperCase() } as const;
  const byId = { case: "accountId", value: account!.id } as const;
  expect((await fixture.admin.getAccount({ selector: byEmail }, CALL)).account).toEqual(account);
  expect((await fixture.admin.getAccount({ selector: byId }, CALL)).account).toEqual(account);
});

test("an address belongs to one account, regardless of case", async () => {
  const email = someEmail();
  await fixture.admin.createAccount({ email }, CALL);
  const taken = { kind: "already_exists", reason: "EMAIL_TAKEN" };
  const again = fixture.admin.createAccount({ email: email.toUpperCase() }, CALL);
  await expect(again).rejects.toMatchObject(taken);
  const accountId = await makeAccount(fixture);
  const moved = fixture.admin.updateAccount({ accountId, email }, CALL);
  await expect(moved).rejects.toMatchObject(taken);
});

test("an update changes only the given fields", async () => {
  const email = someEmail();
  const created = await fixture.admin.createAccount({ email, name: "Ana", hasPremium: true }, CALL);
  const accountId = created.account!.id;
  const changed = await fixture.admin.updateAccount({ accountId, isBetaTester: true }, CALL);
  expect(changed.account).toMatchObject({ email, name: "Ana", hasPremium: true });
  expect(changed.account!.isBetaTester).toBe(true);
  const cleared = await fixture.admin.updateAccount(
    { accountId, name: "", hasPremium: false },
    CALL,
  );
  expect(cleared.account).toMatchObject({ name: "", hasPremium: false, isBetaTester: true });
});

test("names the field of an invalid id, address or page size", async () => {
  const { admin } = fixture;
  const reasonOf = (call: Promise<unknown>) =>
    call.then(
      () => "none",
      (error: { reason: string }) => error.reason,
    );
  expect(await reasonOf(admin.createAccount({ email: "ana" }, CALL))).toBe("INVALID_EMAIL");
  expect(await reasonOf(admin.updateAccount({ accountId: "x" }, CALL))).toBe("INVALID_ID");
  expect(await reasonOf(admin.getAccount({}, CALL))).toBe("INVALID_ID");
  expect(await reasonOf(admin.listAccounts({ pageSize: 501 }, CALL))).toBe("INVALID_PAGE_SIZE");
  const unknown = admin.updateAccount({ accountId: randomUUID() }, CALL);
  expect(await reasonOf(unknown)).toBe("ACCOUNT_NOT_FOUND");
});

test("pages list every account once, oldest first", async () => {
  await using own = await startFixture();
  const ids = [await makeAccount(own), await makeAccount(own), await makeAccount(own)];
  const first = await own.admin.listAccounts({ pageSize: 2 }, CALL);
  const { nextPageToken: pageToken } = first;
  const second = await own.admin.listAccounts({ pageSize: 2, pageToken }, CALL);
  expect([...first.accounts, ...second.accounts].map(({ id }) => id)).toEqual(ids);
  expect(second.nextPageToken).toBe("");
});

test("erasing an account deletes its keys, and erasing it again reports that it was gone", async () => {
  const accountId = await makeAccount(fixture);
  const { apiKey } = await makeKey(fixture, accountId);
  expect((await fixture.admin.eraseAccount({ accountId }, CALL)).existed).toBe(true);
  expect((await fixture.admin.eraseAccount({ accountId }, CALL)).existed).toBe(false);
  const { outcome } = await fixture.gateway.authenticate({ apiKey }, CALL);
  expect(outcome.case).toBe("refusal");
});
