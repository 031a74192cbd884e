import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, someEmail, startFixture } from "./fixture.ts";

const OLD = "http://127.0.0.1:3000/auth/v1";
const NEW = "urn:uuid:0f7d2f6e-3a43-4b5c-9a36-0d8a4a6e3b11";

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

async function signIn(issuer: string, subject: string, email = someEmail()): Promise<string> {
  const claims = { issuer, subject, email, emailVerified: true };
  return (await fixture.web.signIn({ claims }, CALL)).account!.id;
}

async function move(subject: string, accountId: string, formerIssuers = [OLD]) {
  const request = { subject, formerIssuers, issuer: NEW, accountId };
  return (await fixture.admin.moveIdentity(request, CALL)).releasedAccountIds;
}

async function accountOf(accountId: string) {
  const selector = { case: "accountId", value: accountId } as const;
  return (await fixture.admin.getAccount({ selector }, CALL)).account;
}

describe("moving a person to another issuer", () => {
  test("keeps the account, and may be repeated", async () => {
    const subject = randomUUID();
    const id = await signIn(OLD, subject);
    for (let run = 0; run < 2; run += 1) expect(await move(subject, id)).toEqual([]);
    expect(await signIn(NEW, subject)).toBe(id);
  });

  test("makes several accounts one, which inherits address and entitlements", async () => {
    const subject = randomUUID();
    const email = someEmail();
    const first = await signIn(OLD, subject, email);
    await fixture.admin.updateAccount({ accountId: first, hasPremium: true }, CALL);
    const claims = { issuer: NEW, subject, email: "", emailVerified: false };
    const { account: second } = await fixture.web.signIn({ claims }, CALL);
    expect(await move(subject, second!.id)).toEqual([first]);
    expect(await accountOf(second!.id)).toMatchObject({ email, hasPremium: true });
    expect(await accountOf(first)).toMatchObject({ email: "" });
    expect(await signIn(NEW, subject, email)).toBe(second!.id);
  });

  test("never touches another subject, or an issuer that was not named", async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    const myId = await signIn(OLD, mine);
    const otherId = await signIn(OLD, other);
    const elsewhere = await signIn("https://elsewhere.example", mine);
    await move(mine, myId);
    expect(await signIn(OLD, other)).toBe(otherId);
    expect(await signIn("https://elsewhere.example", mine)).toBe(elsewhere);
  });

  test("refuses an account of somebody else, and changes nothing", async () => {
    const subject = randomUUID();
    const id = await signIn(OLD, subject);
    const strangers = await signIn(OLD, randomUUID());
    await expect(move(subject, strangers)).rejects.toMatchObject({ kind: "not_found" });
    expect(await signIn(OLD, subject)).toBe(id);
  });
});

test("lists every identity with its account, page by page", async () => {
  const subjects = Array.from({ length: 3 }, () => randomUUID());
  for (const subject of subjects) await signIn(OLD, subject);
  const found: string[] = [];
  let pageToken = "";
  do {
    const page = await fixture.admin.listIdentities({ pageSize: 1, pageToken }, CALL);
    found.push(...page.identities.map(({ issuer, subject }) => `${issuer} ${subject}`));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(found).toEqual(expect.arrayContaining(subjects.map((subject) => `${OLD} ${subject}`)));
  expect(new Set(found).size).toBe(found.length);
});
