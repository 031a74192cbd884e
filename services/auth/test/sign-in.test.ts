import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, someEmail, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const HAS_ACCOUNT = { kind: "failed_precondition", reason: "ADDRESS_HAS_ACCOUNT" };

/** Claims of a new person with a verified address. */
function claimsOfNewPerson(
  changes: { email?: string; emailVerified?: boolean; name?: string } = {},
) {
  return {
    issuer: "https://id.example/auth/v1",
    subject: randomUUID(),
    email: someEmail(),
    emailVerified: true,
    name: "Ana",
    avatarUrl: "https://id.example/ana.png",
    ...changes,
  };
}

async function signIn(claims: ReturnType<typeof claimsOfNewPerson>) {
  const { account } = await fixture.web.signIn({ claims }, CALL);
  return account!;
}

test("the first sign-in creates an account from the claims, without premium", async () => {
  const claims = claimsOfNewPerson();
  expect(await signIn(claims)).toMatchObject({
    email: claims.email,
    name: "Ana",
    avatarUrl: claims.avatarUrl,
    hasPremium: false,
    isBetaTester: false,
  });
});

test("later sign-ins find the account by issuer and subject, whatever the address", async () => {
  const claims = claimsOfNewPerson();
  const { id, email } = await signIn(claims);
  expect(await signIn({ ...claims, email: someEmail() })).toMatchObject({ id, email });
  const elsewhere = { ...claims, issuer: "https://other.example", email: someEmail() };
  expect((await signIn(elsewhere)).id).not.toBe(id);
});

test("an unverified address is neither stored nor used", async () => {
  const email = someEmail();
  const { account: operators } = await fixture.admin.createAccount({ email }, CALL);
  const impostor = await signIn(claimsOfNewPerson({ email, emailVerified: false }));
  expect(impostor.id).not.toBe(operators!.id);
  expect(impostor.email).toBe("");
});

test("only the first person with the verified address gets an operator's account", async () => {
  const email = someEmail();
  const { account } = await fixture.admin.createAccount({ email, hasPremium: true }, CALL);
  const first = await signIn(claimsOfNewPerson({ email: email.toUpperCase() }));
  expect(first).toMatchObject({ id: account!.id, email, hasPremium: true });
  await expect(signIn(claimsOfNewPerson({ email }))).rejects.toMatchObject(HAS_ACCOUNT);
});

test("an address verified later is added at the next sign-in, unless it is taken", async () => {
  const claims = claimsOfNewPerson({ emailVerified: false });
  const { id } = await signIn(claims);
  const verified = await signIn({ ...claims, emailVerified: true });
  expect(verified).toMatchObject({ id, email: claims.email });
  const late = claimsOfNewPerson({ email: claims.email, emailVerified: false });
  await signIn(late);
  expect((await signIn({ ...late, emailVerified: true })).email).toBe("");
});

test("concurrent first sign-ins of one person create one account", async () => {
  const claims = claimsOfNewPerson();
  const accounts = await Promise.all(Array.from({ length: 8 }, () => signIn(claims)));
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
});

test("a verified address never gets a second account, even when people sign in with it at once", async () => {
  const email = someEmail();
  const attempts = await Promise.allSettled(
    Array.from({ length: 4 }, () => signIn(claimsOfNewPerson({ email }))),
  );
  const refused = attempts.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(3);
  for (const attempt of refused) expect(attempt).toMatchObject({ reason: HAS_ACCOUNT });
});

test("after the provider's address changed, the same person gets no second, empty account", async () => {
  const claims = claimsOfNewPerson();
  const { id } = await signIn(claims);
  const moved = { ...claims, issuer: "https://auth.example/v1" };
  await expect(signIn(moved)).rejects.toMatchObject({
    ...HAS_ACCOUNT,
    message: expect.stringContaining("accounts move"),
  });
  const { accounts } = await fixture.admin.listAccounts({ pageSize: 500 }, CALL);
  expect(accounts.filter(({ email }) => email === claims.email)).toMatchObject([{ id }]);
});

test("refuses claims that identify nobody", async () => {
  const nobody = fixture.web.signIn({ claims: { issuer: "https://id.example" } }, CALL);
  await expect(nobody).rejects.toMatchObject({ kind: "invalid_argument" });
  const nothing = fixture.web.signIn({}, CALL);
  await expect(nothing).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("omits or cuts a name and a picture that cannot be shown", async () => {
  const claims = {
    ...claimsOfNewPerson({ name: "a\n".repeat(300) }),
    avatarUrl: "javascript:alert(1)",
  };
  const account = await signIn(claims);
  expect(account.name).toBe("a ".repeat(100).trim());
  expect(account.avatarUrl).toBe("");
});

test("an erased person who signs in again starts over", async () => {
  const claims = claimsOfNewPerson();
  const { id: accountId } = await signIn(claims);
  await fixture.admin.eraseAccount({ accountId }, CALL);
  expect((await signIn(claims)).id).not.toBe(accountId);
});
