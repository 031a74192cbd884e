import { generateApiKey } from "@nutrition/core/api-key";
import { ManualClock } from "@nutrition/core/clock";
import { RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { makeSigningKey, startTestProvider } from "@nutrition/oauth/testing";
import { describe, expect, it } from "vitest";

import { FULL_KEY, READ_KEY, UNKNOWN_KEY, allowed } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

const NOW = "2026-11-21T12:00:00Z";
/** Number of credentials of one network that are verified concurrently. */
const CHECKED_AT_ONCE = 8;
/** Behind one trusted proxy, a test may come from any network. */
const BEHIND_PROXY = { config: { trustProxyHops: 1 } };
const FLOODING = { "x-forwarded-for": "192.0.2.1" };
const QUIET = { "x-forwarded-for": "198.51.100.1" };

function ask(fixture: GatewayFixture, key: string, from: Record<string, string>) {
  return fixture.get("/api/v1/me", { ...bearer(key), ...from });
}

/** Blocks the verification of all keys but `quick`, and starts more verifications than run concurrently. */
async function flood(fixture: GatewayFixture, quick: readonly string[]) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  fixture.fakes.beforeAuthentication = async (key) => {
    if (!quick.includes(key)) await promise;
  };
  const bad = Array.from({ length: CHECKED_AT_ONCE + 12 }, () => generateApiKey().text);
  const answers = Promise.all(bad.map((key) => ask(fixture, key, FLOODING)));
  await expect.poll(() => asked(fixture, bad)).toBe(CHECKED_AT_ONCE);
  return { bad, answers, end };
}

function asked({ fakes }: GatewayFixture, keys: readonly string[]): number {
  return fakes.authenticated.filter((key) => keys.includes(key)).length;
}

describe("in a network that floods invalid credentials", () => {
  it("few are verified concurrently, and every request is answered", async () => {
    await using fixture = await startFixture(BEHIND_PROXY);
    const { bad, answers, end } = await flood(fixture, []);
    expect(asked(fixture, bad)).toBe(CHECKED_AT_ONCE);
    end();
    expect((await answers).every(({ status }) => status === 401)).toBe(true);
    expect(asked(fixture, bad)).toBe(bad.length);
  });

  it("a recently verified one is answered without delay, even if it must be verified again", async () => {
    const clock = new ManualClock(NOW);
    await using fixture = await startFixture({ ...BEHIND_PROXY, clock });
    await ask(fixture, FULL_KEY, FLOODING);
    const { bad, answers, end } = await flood(fixture, [FULL_KEY]);
    clock.advance(60_000);
    expect(await ask(fixture, FULL_KEY, FLOODING)).toMatchObject({ status: 200 });
    expect(fixture.fakes.authenticated.filter((key) => key === FULL_KEY)).toHaveLength(2);
    // No waiting credential was verified before it.
    expect(asked(fixture, bad)).toBe(CHECKED_AT_ONCE);
    end();
    await answers;
  });

  it("a new valid one waits its turn, and is accepted", async () => {
    await using fixture = await startFixture(BEHIND_PROXY);
    const { answers, end } = await flood(fixture, [READ_KEY]);
    const good = ask(fixture, READ_KEY, FLOODING);
    end();
    expect(await good).toMatchObject({ status: 200 });
    await answers;
  });
});

it("a network never waits for another network's flood", async () => {
  await using fixture = await startFixture(BEHIND_PROXY);
  const { bad, answers, end } = await flood(fixture, [READ_KEY]);
  expect(await ask(fixture, READ_KEY, QUIET)).toMatchObject({ status: 200 });
  expect(asked(fixture, bad)).toBe(CHECKED_AT_ONCE);
  end();
  await answers;
});

describe("an impossible credential", () => {
  const malformed: [string, string][] = [
    ["a key with a wrong checksum", `${FULL_KEY.slice(0, -1)}${FULL_KEY.endsWith("0") ? 1 : 0}`],
    ["a key that is cut short", FULL_KEY.slice(0, -1)],
    ["an invalid token", "abc"],
    ["a token with two parts", "abc.def"],
  ];
  it.each(malformed)("such as %s is refused without a lookup", async (_, text) => {
    await using fixture = await startFixture();
    expect(await fixture.get("/api/v1/me", bearer(text))).toMatchObject({ status: 401 });
    expect(fixture.fakes.authenticated).toEqual([]);
  });

  it.each([RefusalReason.INVALID, RefusalReason.REVOKED, RefusalReason.EXPIRED])(
    "such as a key that auth refuses (%d) is looked up once in 10 s",
    async (value) => {
      const clock = new ManualClock(NOW);
      await using fixture = await startFixture({ clock });
      fixture.fakes.keys.set(UNKNOWN_KEY, { case: "refusal", value });
      const first = await fixture.get("/api/v1/me", bearer(UNKNOWN_KEY));
      clock.advance(9_999);
      const second = await fixture.get("/api/v1/me", bearer(UNKNOWN_KEY));
      expect(second).toMatchObject({ status: 401, text: first.text });
      expect(fixture.fakes.authenticated).toEqual([UNKNOWN_KEY]);
      clock.advance(1);
      await fixture.get("/api/v1/me", bearer(UNKNOWN_KEY));
      expect(fixture.fakes.authenticated).toHaveLength(2);
    },
  );
});

describe("a credential that becomes valid works immediately", () => {
  it("for a key that was just created", async () => {
    await using fixture = await startFixture();
    const key = generateApiKey().text;
    await fixture.get("/api/v1/me", bearer(UNKNOWN_KEY));
    fixture.fakes.keys.set(key, allowed({}));
    expect(await fixture.get("/api/v1/me", bearer(key))).toMatchObject({ status: 200 });
  });

  it("for a token whose connection the person allows now", async () => {
    await using provider = await startTestProvider();
    await using fixture = await startFixture({ config: { authUrl: provider.issuer } });
    const headers = bearer(await provider.token());
    expect(await fixture.get("/api/v1/me", headers)).toMatchObject({
      status: 403,
      body: { error: "connector_not_authorized" },
    });
    fixture.fakes.connector = allowed({});
    expect(await fixture.get("/api/v1/me", headers)).toMatchObject({ status: 200 });
  });

  it("for a token that was not valid yet, or whose key was unknown", async () => {
    const clock = new ManualClock(NOW);
    await using provider = await startTestProvider(clock);
    await using fixture = await startFixture({ clock, config: { authUrl: provider.issuer } });
    fixture.fakes.connector = allowed({});
    const [known] = provider.keys;
    const later = Date.parse(NOW) / 1_000 + 60;
    const early = bearer(await provider.token({ claims: { nbf: later, iat: later } }));
    expect(await fixture.get("/api/v1/me", early)).toMatchObject({ status: 401 });
    const next = await makeSigningKey();
    const unknown = bearer(await provider.token({ key: next }));
    expect(await fixture.get("/api/v1/me", unknown)).toMatchObject({ status: 401 });
    provider.keys = [next, ...(known ? [known] : [])];
    clock.advance(60_000);
    expect(await fixture.get("/api/v1/me", early)).toMatchObject({ status: 200 });
    expect(await fixture.get("/api/v1/me", unknown)).toMatchObject({ status: 200 });
  });
});
