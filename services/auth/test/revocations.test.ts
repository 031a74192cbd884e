import { randomUUID } from "node:crypto";

import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import type { RevokedCredential } from "@nutrition/redis/revocations";
import { subscribeToRevocations } from "@nutrition/redis/revocations";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, accountWithKeys, asPerson, makeAccount, startFixture } from "./fixture.ts";

const READ = ["service.read"];
const READ_AND_LOG = ["service.read", "nutrition.write"];

/** A person with one key and one connector. */
async function someone(fixture: Fixture) {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const clientId = `client-${randomUUID()}`;
  await fixture.web.putGrant({ clientId, scopes: READ_AND_LOG }, asPerson(accountId));
  const [{ id: keyId, apiKey }] = keys as [(typeof keys)[0]];
  return { fixture, accountId, keyId, apiKey, clientId, person: asPerson(accountId) };
}

type Someone = Awaited<ReturnType<typeof someone>>;

interface Case {
  what: string;
  revoke: (someone: Someone) => Promise<unknown>;
  /** Published in addition to the account. */
  credentialId?: (someone: Someone) => string;
}

const CASES: Case[] = [
  {
    what: "a revoked key",
    revoke: ({ fixture, keyId, person }) =>
      fixture.web.revokeKey({ selector: { case: "keyId", value: keyId } }, person),
    credentialId: ({ keyId }) => keyId,
  },
  {
    what: "a key replaced without overlap",
    revoke: ({ fixture, keyId, person }) => fixture.web.rotateKey({ keyId }, person),
    credentialId: ({ keyId }) => keyId,
  },
  {
    what: "a key found in public",
    revoke: ({ fixture, apiKey }) => fixture.gateway.reportLeakedKey({ apiKey }, CALL),
    credentialId: ({ keyId }) => keyId,
  },
  {
    what: "a disconnected connection",
    revoke: ({ fixture, clientId, person }) => fixture.web.revokeGrant({ clientId }, person),
    credentialId: ({ clientId }) => clientId,
  },
  {
    what: "a connection with fewer permissions",
    revoke: ({ fixture, clientId, person }) =>
      fixture.web.updateGrant({ clientId, scopes: READ }, person),
    credentialId: ({ clientId }) => clientId,
  },
  {
    what: "a connection that was allowed again with fewer permissions",
    revoke: ({ fixture, clientId, person }) =>
      fixture.web.putGrant({ clientId, scopes: READ }, person),
    credentialId: ({ clientId }) => clientId,
  },
  {
    what: "an account that lost premium",
    revoke: ({ fixture, accountId }) =>
      fixture.admin.updateAccount({ accountId, hasPremium: false }, CALL),
  },
  {
    what: "an account that lost beta access",
    revoke: ({ fixture, accountId }) =>
      fixture.admin.updateAccount({ accountId, isBetaTester: false }, CALL),
  },
  {
    what: "an erased account",
    revoke: ({ fixture, accountId }) => fixture.admin.eraseAccount({ accountId }, CALL),
  },
];

describe.skipIf(isWithoutRedis())("with Redis", () => {
  let redis: RunningRedis;
  let fixture: Fixture;
  let subscription: AsyncDisposable;
  const heard: RevokedCredential[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    const url = new Secret(redis.url);
    fixture = await startFixture({ redisUrl: url });
    const { promise: listening, resolve: onGap } = Promise.withResolvers<void>();
    const onRevoked = (revoked: RevokedCredential) => void heard.push(revoked);
    subscription = subscribeToRevocations({ url, logger: silentLogger, onRevoked, onGap });
    await listening;
    const accountId = await makeAccount(fixture);
    // The publisher may still be connecting.
    await vi.waitFor(
      async () => {
        await fixture.admin.updateAccount({ accountId, hasPremium: true }, CALL);
        expect(heard).not.toEqual([]);
      },
      { timeout: 10_000 },
    );
  });
  afterAll(async () => {
    await subscription[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });
  beforeEach(() => void (heard.length = 0));

  /** A person whose new connection, which is published as well, has been received. */
  async function announcedPerson(): Promise<Someone> {
    const it = await someone(fixture);
    const { accountId, clientId: credentialId } = it;
    await expect.poll(() => heard).toContainEqual({ accountId, credentialId });
    heard.length = 0;
    return it;
  }

  test.each(CASES)("publishes $what, by ids only", async ({ revoke, credentialId }) => {
    const it = await announcedPerson();
    await revoke(it);
    const { accountId } = it;
    const announced = credentialId ? { accountId, credentialId: credentialId(it) } : { accountId };
    await expect.poll(() => heard).toEqual([announced]);
  });

  test("publishes nothing when nothing ends", async () => {
    const { accountId, keyId, person, apiKey } = await announcedPerson();
    const tampered = apiKey.slice(0, -6) + "000000";
    await fixture.gateway.reportLeakedKey({ apiKey: tampered }, CALL);
    await fixture.admin.updateAccount({ accountId, name: "Ana" }, CALL);
    await fixture.web.rotateKey({ keyId, overlapSeconds: 60 }, person);
    await fixture.web.createKey({ scopes: READ }, person);
    await fixture.admin.updateAccount({ accountId, hasPremium: true }, CALL);
    await expect.poll(() => heard).toEqual([{ accountId }]);
  });

  test("an unresponsive or stopped Redis changes no answer and delays none", async () => {
    await using own = await startRedis();
    await using other = await startFixture({ redisUrl: new Secret(own.url) });
    const people = [await someone(other), await someone(other)];
    const startedMs = performance.now();
    for (const [at, disturb] of [() => own.pause(), () => own.kill()].entries()) {
      await disturb();
      const { apiKey, clientId, person } = people[at]!;
      expect(await other.gateway.reportLeakedKey({ apiKey }, CALL)).toMatchObject({
        revoked: true,
      });
      const { grant } = await other.web.revokeGrant({ clientId }, person);
      expect(grant!.revokedAt).toBeDefined();
    }
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
