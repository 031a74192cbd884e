import { randomUUID } from "node:crypto";

import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import { access } from "../src/rpc/access.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, asUser, makeAccount, startFixture } from "./fixture.ts";

type Method = keyof typeof AuthService.method;

const METHODS = Object.keys(AuthService.method) as Method[];

/** Methods that identify a caller, and those that need no user. */
const EVERYDAY: readonly Method[] = [
  "authenticate",
  "authorizeConnector",
  "listChangedKeys",
  "recordKeyUses",
  "signIn",
  "getProfile",
  // Anyone who knows a key's text may revoke it.
  "reportLeakedKey",
  // Background work of the pages, for no particular person.
  "takeUpstreamDeletions",
  "finishUpstreamDeletion",
  "takeErasures",
  "eraseTakenAccount",
  "finishErasure",
  "queueInvitation",
  "takeMails",
  "finishMail",
];

/**
 * All other methods manage keys, grants and accounts. Listing the exceptions covers new methods.
 */
const MANAGING = METHODS.filter((method) => !EVERYDAY.includes(method));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Calls a method by its name with an empty request. */
function call(client: Fixture["web"], method: Method, options: CallOptions): Promise<unknown> {
  const calling = client[method] as unknown as Call;
  return calling({}, options);
}

type Call = (request: object, options: CallOptions) => Promise<unknown>;

const denied = { kind: "permission_denied", reason: "CALL_NOT_ALLOWED" };

test.each(METHODS)("%s has an access rule and is refused to any other service", async (method) => {
  expect(access[method]?.callers).not.toContain("journal");
  await expect(call(fixture.journal, method, CALL)).rejects.toMatchObject(denied);
});

const CREDENTIALS = ["api_key", "connector"] as const;
const ASSERTING = ["gateway", "web"] as const;
const CASES = MANAGING.flatMap((method) =>
  CREDENTIALS.flatMap((kind) => ASSERTING.map((caller) => ({ method, kind, caller }))),
);

test.each(CASES)(
  "$method is refused to $caller for a user with $kind",
  async ({ method, kind, caller }) => {
    const scopes = ["service.read", "nutrition.write"];
    const accountId = await makeAccount(fixture);
    const user = { accountId, credentialKind: kind, credentialId: randomUUID(), scopes };
    await expect(call(fixture[caller], method, asUser(user))).rejects.toMatchObject(denied);
  },
);

test.each(MANAGING)("%s is refused to the pages without a signed-in user", async (method) => {
  await expect(call(fixture.web, method, CALL)).rejects.toMatchObject(denied);
});

test.each(MANAGING)("%s is refused to the gateway even with a session", async (method) => {
  const session = asPerson(randomUUID());
  await expect(call(fixture.gateway, method, session)).rejects.toMatchObject(denied);
});

test.each(CREDENTIALS)("the operator cannot act for a user with %s", async (credentialKind) => {
  const user = { accountId: randomUUID(), credentialKind, credentialId: "1", scopes: [] };
  const listing = fixture.admin.listKeys({ accountId: user.accountId }, asUser(user));
  await expect(listing).rejects.toThrow();
});
