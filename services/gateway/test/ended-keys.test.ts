import { testIdentity } from "@nutrition/rpc/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { People } from "./people.ts";
import type { RealServices } from "./real-services.ts";
import { CALL, asPerson, startRealServices } from "./real-services.ts";

const SUMMARY = "/api/v1/nutrition/summary";
/** `service_live_`, 16 characters, `_` and 49 more. */
const OLD_KEY_LENGTH = 79;
/** Far more than the 5 s that a revocation may take: the machine may be busy. */
const SOON = { timeout: 30_000 };

let identity: TestIdentity;
let services: RealServices;
/** Two gateways, of which only the first sees a key before it ends. */
let gateways: [GatewayFixture, GatewayFixture];
beforeAll(async () => {
  identity = await testIdentity();
  services = await startRealServices(identity);
  gateways = [await startVerifying(), await startVerifying()];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
  await services[Symbol.asyncDispose]();
});

function startVerifying(): Promise<GatewayFixture> {
  const { addresses: backends, keyVerifier } = services;
  return startFixture({ identity, backends, config: { keyVerifier } });
}

async function makeKey(at = services) {
  const people = new People(at, { issuer: "http://idp.example.com" });
  const { id: keyId, text, accountId } = await people.key();
  return { keyId, text, accountId, person: asPerson(accountId) };
}

const statusOf = async (gateway: GatewayFixture, apiKey: string) =>
  (await gateway.get(SUMMARY, bearer(apiKey))).status;

type MadeKey = Awaited<ReturnType<typeof makeKey>>;

it.each<[string, (key: MadeKey) => Promise<unknown>]>([
  [
    "revoked",
    ({ keyId, person }) =>
      services.web.revokeKey({ selector: { case: "keyId", value: keyId } }, person),
  ],
  ["replaced", ({ keyId, person }) => services.web.rotateKey({ keyId }, person)],
  [
    "replaced with an overlap that has passed",
    ({ keyId, person }) => services.web.rotateKey({ keyId, overlapSeconds: 1 }, person),
  ],
  ["of an erased account", ({ accountId }) => services.admin.eraseAccount({ accountId }, CALL)],
])("a signed key that was %s is soon refused by every gateway, without Redis", async (_, end) => {
  const key = await makeKey();
  const [seen, unseen] = gateways;
  expect(await statusOf(seen, key.text)).toBe(200);
  await end(key);
  await expect.poll(() => statusOf(seen, key.text), SOON).toBe(401);
  await expect.poll(() => statusOf(unseen, key.text), SOON).toBe(401);
});

it("both keys of a rotation work during the overlap", async () => {
  const { text, keyId, person } = await makeKey();
  const rotated = await services.web.rotateKey({ keyId, overlapSeconds: 3_600 }, person);
  for (const gateway of gateways) {
    expect(await statusOf(gateway, text)).toBe(200);
    expect(await statusOf(gateway, rotated.apiKey)).toBe(200);
  }
});

it("a key that was issued before keys were signed works as before", async () => {
  await using unsigned = await startRealServices(identity, { KEY_SIGNING_SECRETS: "" });
  const { text } = await makeKey(unsigned);
  expect(text).toHaveLength(OLD_KEY_LENGTH);
  const { keyVerifier } = services;
  const options = { identity, backends: unsigned.addresses, config: { keyVerifier } };
  await using gateway = await startFixture(options);
  expect(await statusOf(gateway, text)).toBe(200);
});
