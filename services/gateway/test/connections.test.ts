import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import type { SigningKey, TestProvider } from "@nutrition/oauth/testing";
import { makeSigningKey, startTestProvider } from "@nutrition/oauth/testing";
import { RevocationPublisher } from "@nutrition/redis/revocations";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { FixtureOptions, GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import type { ToolAnswer } from "./mcp-fixture.ts";
import { errorOf, older, post } from "./mcp-fixture.ts";
import { People } from "./people.ts";
import type { RealServices } from "./real-services.ts";
import { asPerson, startRealServices } from "./real-services.ts";

const withoutRedis = isWithoutRedis();
const ends = new AsyncDisposableStack();
let identity: TestIdentity;
let provider: TestProvider;
let redis: RunningRedis | undefined;
let services: RealServices;
let people: People;

beforeAll(async () => {
  identity = await testIdentity();
  provider = ends.use(await startTestProvider());
  if (!withoutRedis) redis = ends.use(await startRedis());
  services = ends.use(await startRealServices(identity, redis ? { REDIS_URL: redis.url } : {}));
  people = new People(services, provider);
}, 60_000);
afterAll(() => ends.disposeAsync());

/** A gateway in front of the real services; it receives revocations only with Redis. */
function startGateway(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const config = { authUrl: provider.issuer, ...options.config };
  return startFixture({ ...options, identity, backends: services.addresses, config });
}

const tokenOf = ({ claims }: { claims: object }) => provider.token({ claims: { ...claims } });

describe("read-only permission", () => {
  let fixture: GatewayFixture;
  beforeAll(async () => void (fixture = await startGateway()));
  afterAll(() => fixture[Symbol.asyncDispose]());

  const write = async (headers: Record<string, string>) => {
    const params = { name: "log_food", arguments: { food_text: "1 egg" } };
    const answer = await post(fixture, older("tools/call", params), headers);
    expect(answer.status).toBe(200);
    return (answer.body as { result: ToolAnswer }).result;
  };

  it.each([
    ["an API key", async () => bearer(await people.readingKey())],
    [
      "a connection",
      async () => {
        const person = await people.signIn();
        await people.allowReading(person);
        return bearer(await tokenOf(person));
      },
    ],
  ])("of %s allows reads, and the message says where to allow writing", async (_, makeHeaders) => {
    const headers = await makeHeaders();
    expect(await fixture.get("/api/v1/me", headers)).toMatchObject({ status: 200 });
    const refused = await write(headers);
    expect(refused.isError).toBe(true);
    expect(errorOf(refused)).toEqual({
      error: "insufficient_scope",
      status: 403,
      message:
        "This connection may only read, so nothing was changed. The user can allow logging at http://localhost:3000/settings/connections, or make a key that may log at http://localhost:3000/settings/keys.",
    });
    expect(fixture.fakes.logged).toEqual([]);
  });

  it("that is extended lets the same token write immediately", async () => {
    const person = await people.signIn();
    await people.allowReading(person);
    const headers = bearer(await tokenOf(person));
    expect((await write(headers)).isError).toBe(true);
    const { accountId, claims } = person;
    const scopes = ["service.read", "nutrition.write"];
    await services.web.updateGrant({ clientId: claims.client_id, scopes }, asPerson(accountId));
    expect((await write(headers)).isError).toBe(false);
  });
});

describe("a revocation", () => {
  /** A credential that works, and how to revoke it. */
  const credentials = [
    [
      "connection",
      async () => {
        const person = await people.connected();
        return { text: await tokenOf(person), revoke: () => people.revoke(person) };
      },
      "invalid_token",
    ],
    [
      "key",
      async () => {
        const { id, text, accountId } = await people.key();
        const selector = { case: "keyId", value: id } as const;
        return {
          text,
          revoke: () => services.web.revokeKey({ selector }, asPerson(accountId)),
        };
      },
      "invalid_api_key",
    ],
  ] as const;

  it.each(credentials)("of a %s applies after 4 s without Redis", async (_, make, error) => {
    const clock = new ManualClock(new Date());
    await using gateway = await startGateway({ clock });
    const { text, revoke } = await make();
    expect(await gateway.get("/api/v1/me", bearer(text))).toMatchObject({ status: 200 });
    await revoke();
    clock.advance(4_000);
    const refused = await gateway.get("/api/v1/me", bearer(text));
    expect(refused).toMatchObject({ status: 401, body: { error } });
  });

  it.each(credentials)("of a %s stops a write immediately", async (_, make, error) => {
    await using gateway = await startGateway();
    const { text, revoke } = await make();
    const params = { name: "log_food", arguments: { food_text: "1 egg" } };
    const write = () => post(gateway, older("tools/call", params), bearer(text));
    expect(await write()).toMatchObject({ status: 200 });
    await revoke();
    expect(await write()).toMatchObject({ status: 401, body: { error } });
    expect(gateway.fakes.logged).toHaveLength(1);
  });

  describe.skipIf(withoutRedis)("with Redis", () => {
    /** A gateway with a stopped clock, so that no cache entry expires. */
    const startListening = () => {
      const url = redis?.url ?? "";
      const clock = new ManualClock(new Date());
      return startGateway({ clock, config: { redisUrl: new Secret(url) } });
    };

    it.each(credentials)("of a %s applies immediately", async (_, make, error) => {
      await using gateway = await startListening();
      const { text, revoke } = await make();
      const read = async () => (await gateway.get("/api/v1/me", bearer(text))).body;
      await expect.poll(read).toMatchObject({ profile: {} });
      await revoke();
      await expect.poll(read).toMatchObject({ error });
    });

    const read = (gateway: GatewayFixture, { text }: { text: string }) =>
      gateway.get("/api/v1/me", bearer(text));

    /** Keys that ended without a published revocation, and are still in the gateway's cache. */
    async function rememberedKeys(gateway: GatewayFixture, count: number) {
      const keys = await Promise.all(Array.from({ length: count }, () => people.key()));
      for (const key of keys) expect(await read(gateway, key)).toMatchObject({ status: 200 });
      const text = "update api_keys set revoked_at = now(), slot = null where id = any($1)";
      await services.database.query({ text, values: [keys.map(({ id }) => id)] });
      return keys as [(typeof keys)[0], ...typeof keys];
    }

    /**
     * Publishes a revocation of all the account's credentials, and returns the gateway's response to the key.
     */
    function telling(gateway: GatewayFixture, key: { accountId: string; text: string }) {
      const url = new Secret(redis?.url ?? "");
      const publisher = new RevocationPublisher({ url, logger: silentLogger });
      const tell = async () => {
        publisher.publish({ accountId: key.accountId });
        return (await read(gateway, key)).status;
      };
      return { tell, [Symbol.dispose]: () => publisher[Symbol.dispose]() };
    }

    /** Once a published revocation takes effect, the gateway is subscribed. */
    async function untilListening(gateway: GatewayFixture): Promise<void> {
      const [key] = await rememberedKeys(gateway, 1);
      using told = telling(gateway, key);
      await expect.poll(told.tell).toBe(401);
    }

    it("leaves others' credentials alone", async () => {
      await using gateway = await startListening();
      await untilListening(gateway);
      const revokeOne = async () => {
        const [one, other] = await rememberedKeys(gateway, 2);
        using told = telling(gateway, one);
        await expect.poll(told.tell).toBe(401);
        return (await read(gateway, other!)).status;
      };
      // Repeats in case the gateway dropped a slow connection: reconnecting clears the cache.
      await expect.poll(revokeOne, { timeout: 8_000 }).toBe(200);
    });

    it("that Redis could not publish applies once it is back", async () => {
      await using gateway = await startListening();
      await untilListening(gateway);
      await redis?.kill();
      // Fills the cache only now: on a busy machine, the gateway may have reconnected before, which clears
      // the cache.
      const [missed] = await rememberedKeys(gateway, 1);
      expect(await read(gateway, missed)).toMatchObject({ status: 200 });
      await redis?.start();
      const status = async () => (await read(gateway, missed)).status;
      await expect.poll(status, { timeout: 8_000 }).toBe(401);
    });
  });
});

describe("while the key set is unavailable", () => {
  it("tokens of known keys work, and one of an unknown key is 503, not 401", async () => {
    const clock = new ManualClock(new Date());
    await using own = await startTestProvider(clock);
    await using gateway = await startGateway({ clock, config: { authUrl: own.issuer } });
    const { claims } = await new People(services, own).connected();
    // Tokens must be issued after the grant, by the database's clock.
    clock.advance(Date.now() + 1_000 - clock.now().getTime());
    const read = async (key?: SigningKey) => {
      const token = await own.token({ claims: { ...claims }, ...(key && { key }) });
      return gateway.get("/api/v1/me", bearer(token));
    };
    expect(await read()).toMatchObject({ status: 200 });
    own.status = 500;
    clock.advance(30_000);
    expect(await read(await makeSigningKey())).toMatchObject({ status: 503 });
    expect(await read()).toMatchObject({ status: 200 });
  });

  it.each(["/api/v1/me", "/mcp"])("from the start, tokens are 503 at %s", async (path) => {
    await using own = await startTestProvider();
    own.status = 500;
    await using gateway = await startGateway({ config: { authUrl: own.issuer } });
    const headers = bearer(await own.token({ key: await makeSigningKey() }));
    const method = path === "/mcp" ? "POST" : "GET";
    const answer = await gateway.send(path, { method, headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.has("www-authenticate")).toBe(false);
    expect(answer.body).toEqual({
      error: "service_unavailable",
      message: "Part of the service is temporarily unavailable. Try again in 2 seconds.",
    });
    const { text } = await people.key();
    expect(await gateway.get("/api/v1/me", bearer(text))).toMatchObject({ status: 200 });
  });
});
