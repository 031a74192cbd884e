import { GrantOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { asPerson, makeAccount, startFixture } from "./fixture.ts";

const READ = ["service.read"];
const READ_AND_LOG = ["service.read", "nutrition.write"];
const clientId = "client";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Consents of a new person on authorization requests of one client. */
async function newConsents() {
  const person = asPerson(await makeAccount(fixture));
  const put = async (authorizationId: string, scopes = READ) => {
    const { outcome, grant } = await fixture.web.putGrant(
      { clientId, authorizationId, scopes },
      person,
    );
    return { outcome, scopes: grant?.scopes };
  };
  return { put, revoke: () => fixture.web.revokeGrant({ clientId }, person) };
}

test("a repeated decision on one authorization request changes nothing until the grant ends", async () => {
  const { put, revoke } = await newConsents();
  expect(await put("first")).toEqual({ outcome: GrantOutcome.NEW, scopes: READ });
  const repeated = { outcome: GrantOutcome.REPEATED, scopes: READ };
  expect(await put("first", READ_AND_LOG)).toEqual(repeated);
  await revoke();
  expect(await put("first")).toEqual({ outcome: GrantOutcome.NEW, scopes: READ });
});

test("a decision that replaces a live grant can be repeated, as it may have failed at the provider", async () => {
  const { put } = await newConsents();
  await put("first");
  const replaced = { outcome: GrantOutcome.REPLACED, scopes: READ_AND_LOG };
  expect(await put("second", READ_AND_LOG)).toEqual(replaced);
  expect(await put("second", READ_AND_LOG)).toEqual(replaced);
});

test("of one decision that arrives several times at once, exactly one is new", async () => {
  const { put } = await newConsents();
  const answers = await Promise.all(Array.from({ length: 5 }, () => put("request")));
  const outcomes = answers.map(({ outcome }) => outcome).sort();
  expect(outcomes).toEqual([GrantOutcome.NEW, ...Array(4).fill(GrantOutcome.REPEATED)]);
});

test("one person's decision is never a repetition of another's", async () => {
  for (const { put } of [await newConsents(), await newConsents()]) {
    expect(await put("request")).toEqual({ outcome: GrantOutcome.NEW, scopes: READ });
  }
});

test.each(["a b", "é", "x".repeat(129)])("refuses %j as an authorization's id", async (id) => {
  const { put } = await newConsents();
  await expect(put(id)).rejects.toMatchObject({ kind: "invalid_argument" });
});
