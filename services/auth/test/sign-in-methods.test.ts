import { randomUUID } from "node:crypto";

import { SignInMethod } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { asPerson, CALL, someEmail, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

/** The newest session of each account. */
const sessionIds = new Map<string, string>();

const inSession = (accountId: string) => asPerson(accountId, sessionIds.get(accountId));

/** What a sign-in says besides its methods. */
interface SignInDetails {
  readonly passwordSet?: boolean;
  readonly passwordUnproven?: boolean;
}

/** A new person who signs in by the given methods. */
function newPerson() {
  const subject = randomUUID();
  const email = someEmail();
  const signInAs = async (authenticationMethods: string[], details: SignInDetails = {}) => {
    const issuer = "https://id.example/auth/v1";
    const claims = { issuer, subject, email, emailVerified: true };
    const request = { claims, authenticationMethods, ...details };
    const answer = await fixture.web.signIn(request, CALL);
    const accountId = answer.account!.id;
    sessionIds.set(accountId, answer.sessionId);
    return accountId;
  };
  const signIn = (...authenticationMethods: string[]) => signInAs(authenticationMethods);
  return Object.assign(signIn, { as: signInAs, email });
}

async function newMethodsOf(accountId: string) {
  const { methods } = await fixture.web.listNewSignInMethods({}, inSession(accountId));
  return methods.map(({ method }) => method);
}

async function confirm(accountId: string, ...authenticationMethods: string[]) {
  const request = { authenticationMethods };
  const { methods } = await fixture.web.confirmSignInMethods(request, inSession(accountId));
  return methods.map(({ method }) => method);
}

test("the first sign-in method needs no confirmation, however often it is used", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("oauth");
  expect(await newMethodsOf(accountId)).toEqual([]);
});

test("a password set through a link in a mail is known, and so is the link of a sign-up", async () => {
  const signIn = newPerson();
  const accountId = await signIn.as(["otp"], { passwordSet: true });
  await signIn("password");
  await signIn("otp");
  expect(await newMethodsOf(accountId)).toEqual([]);
});

test("a password set through a link replaces one that was reported as new", async () => {
  const signIn = newPerson();
  const accountId = await signIn("otp");
  await signIn("password");
  expect(await newMethodsOf(accountId)).toEqual([SignInMethod.PASSWORD]);
  await signIn.as(["otp"], { passwordSet: true });
  expect(await newMethodsOf(accountId)).toEqual([]);
});

test("the link of a sign-up says nothing about the password", async () => {
  const signIn = newPerson();
  const accountId = await signIn("email/signup");
  await signIn("password");
  expect(await newMethodsOf(accountId)).toEqual([SignInMethod.PASSWORD]);
});

test("a session that began with a link in a mail confirms the other methods", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("password");
  await signIn("otp");
  expect(await confirm(accountId, "otp")).toEqual([SignInMethod.MESSAGE]);
});

test("a session that began with a new method confirms nothing, neither its own nor another", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("password");
  await signIn("passkey");
  const both = [SignInMethod.PASSWORD, SignInMethod.PASSKEY];
  expect(await confirm(accountId, "password")).toEqual(both);
  expect(await confirm(accountId, "passkey")).toEqual(both);
});

describe("a password that a stranger may have chosen", () => {
  const unproven = { passwordUnproven: true };
  const refusal = { kind: "failed_precondition", reason: "PASSWORD_UNPROVEN" };

  test("creates no account, and does not get the one that an operator created", async () => {
    const signIn = newPerson();
    await fixture.admin.createAccount({ email: signIn.email, hasPremium: true }, CALL);
    await expect(signIn.as(["password"], unproven)).rejects.toMatchObject(refusal);
    const rows = await fixture.database.query<{ bound: boolean }>(sql`
      select exists (select from identities where account_id = accounts.id) as bound
      from accounts where email = ${signIn.email}
    `);
    expect(rows).toEqual([{ bound: false }]);
  });

  test("does not sign in to an account that nobody has signed in to with a password", async () => {
    const signIn = newPerson();
    await signIn("oauth");
    await expect(signIn.as(["password"], unproven)).rejects.toMatchObject(refusal);
  });

  test("still signs in where a password was used before", async () => {
    const signIn = newPerson();
    const accountId = await signIn("password");
    expect(await signIn.as(["password"], unproven)).toBe(accountId);
    const unrecorded = newPerson();
    const olderId = await unrecorded();
    expect(await unrecorded.as(["password"], unproven)).toBe(olderId);
  });
});

test("another method is new until confirmed from a session that used an older method", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("password");
  const { methods } = await fixture.web.listNewSignInMethods({}, inSession(accountId));
  expect(methods).toHaveLength(1);
  expect(methods[0]).toMatchObject({ method: SignInMethod.PASSWORD });
  const firstSeenAt = methods[0]?.firstSeenAt;
  await signIn("password");
  const again = await fixture.web.listNewSignInMethods({}, inSession(accountId));
  expect(again.methods[0]?.firstSeenAt).toEqual(firstSeenAt);
  expect(await confirm(accountId, "oauth")).toEqual([]);
  await signIn("password");
  expect(await newMethodsOf(accountId)).toEqual([]);
});

test("a session cannot confirm the method it signed in with", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("password", "totp");
  expect(await confirm(accountId, "password", "totp")).toEqual([SignInMethod.PASSWORD]);
  expect(await newMethodsOf(accountId)).toEqual([SignInMethod.PASSWORD]);
});

test("a session that does not name its method confirms nothing", async () => {
  const signIn = newPerson();
  const accountId = await signIn("oauth");
  await signIn("password");
  await expect(confirm(accountId)).rejects.toMatchObject({ kind: "invalid_argument" });
  expect(await newMethodsOf(accountId)).toEqual([SignInMethod.PASSWORD]);
});

test("a sign-in that does not name its method records none", async () => {
  const signIn = newPerson();
  const accountId = await signIn();
  await signIn("oauth");
  await signIn();
  expect(await newMethodsOf(accountId)).toEqual([]);
});

test("of two concurrent first sign-ins by different methods, one needs confirming", async () => {
  for (let round = 0; round < 10; round += 1) {
    const signIn = newPerson();
    const [accountId = ""] = await Promise.all([signIn("oauth"), signIn("password")]);
    expect(await newMethodsOf(accountId)).toHaveLength(1);
  }
});

test("methods belong to one person and are deleted with the account", async () => {
  const [mine, yours] = [newPerson(), newPerson()];
  const [myId, yourId] = [await mine("oauth"), await yours("oauth")];
  await mine("password");
  expect(await newMethodsOf(yourId)).toEqual([]);
  await confirm(yourId, "oauth");
  expect(await newMethodsOf(myId)).toEqual([SignInMethod.PASSWORD]);
  await fixture.admin.eraseAccount({ accountId: myId }, CALL);
  const rows = await fixture.database.query(
    sql`select 1 from sign_in_methods where account_id = ${myId}`,
  );
  expect(rows).toEqual([]);
});

test("neither a key nor a connector can list or confirm methods", async () => {
  const accountId = await newPerson()("oauth");
  const user = { accountId, credentialKind: "api_key", credentialId: randomUUID(), scopes: [] };
  const options = { ...CALL, user: { ...user, credentialKind: "api_key" as const } };
  await expect(fixture.web.confirmSignInMethods({}, options)).rejects.toMatchObject({
    kind: "permission_denied",
  });
});
