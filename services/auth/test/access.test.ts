import { randomUUID } from "node:crypto";

import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import { access } from "../src/rpc/access.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, asUser, startFixture } from "./fixture.ts";

type Method = keyof typeof AuthService.method;

const METHODS = Object.keys(AuthService.method) as Method[];
const MANAGING: Method[] = [
  "createKey",
  "listKeys",
  "revokeKey",
  "rotateKey",
  "putGrant",
  "listGrants",
  "updateGrant",
  "revokeGrant",
];

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

test.each(METHODS)("%s has a rule, and is refused to a service outside of it", async (method) => {
  expect(access[method]?.callers).not.toContain("journal");
  await expect(call(fixture.journal, method, CALL)).rejects.toMatchObject(denied);
});

test.each(MANAGING)("%s is refused to an API key and to a connector", async (method) => {
  const refusals = (["api_key", "connector"] as const).map((credentialKind) => {
    const scopes = ["service.read", "nutrition.write"];
    const user = { accountId: randomUUID(), credentialKind, credentialId: randomUUID(), scopes };
    return expect(call(fixture.web, method, asUser(user))).rejects.toMatchObject(denied);
  });
  await Promise.all(refusals);
});

test.each(MANAGING)("%s is refused to the pages when nobody is signed in", async (method) => {
  await expect(call(fixture.web, method, CALL)).rejects.toMatchObject(denied);
});

test("the gateway cannot manage keys, grants or accounts, whoever it asserts", async () => {
  const methods: Method[] = [...MANAGING, "createAccount", "updateAccount", "eraseAccount"];
  await Promise.all(
    methods.map((method) =>
      expect(call(fixture.gateway, method, asPerson(randomUUID()))).rejects.toMatchObject(denied),
    ),
  );
});
