import { createHmac } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import fc from "fast-check";
import { SignJWT, UnsecuredJWT, exportSPKI, importJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { TestProvider, TokenChanges } from "./testing.ts";
import { TEST_AUDIENCE, makeSigningKey, startTestProvider } from "./testing.ts";
import { supabaseTokens } from "./supabase/supabase-tokens.ts";
import { TokenVerifier } from "./token-verifier.ts";

type Claims = Readonly<Record<string, unknown>>;

const NOW = "2026-11-21T12:00:00Z";
const NOW_S = Date.parse(NOW) / 1_000;

let provider: TestProvider;
beforeAll(async () => void (provider = await startTestProvider(new ManualClock(NOW))));
afterAll(() => provider[Symbol.asyncDispose]());

function verifierOf({ issuer }: TestProvider, clock = new ManualClock(NOW)): TokenVerifier {
  return new TokenVerifier({
    provider: supabaseTokens,
    issuer,
    audience: TEST_AUDIENCE,
    clock,
    logger: silentLogger,
  });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A token whose MAC uses a publicly known secret: the public key as text. */
async function signedWithPublicKey(): Promise<string> {
  const [{ publicJwk, kid } = await makeSigningKey()] = provider.keys;
  const key = (await importJWK(publicJwk, "ES256")) as Parameters<typeof exportSPKI>[0];
  const [, payload] = (await provider.token()).split(".");
  const signed = `${encode({ alg: "HS256", kid, typ: "JWT" })}.${payload}`;
  const mac = createHmac("sha256", await exportSPKI(key))
    .update(signed)
    .digest("base64url");
  return `${signed}.${mac}`;
}

describe("a valid token", () => {
  it("names the realm in place of its issuer, which is checked all the same", async () => {
    const options = {
      provider: supabaseTokens,
      audience: TEST_AUDIENCE,
      clock: new ManualClock(NOW),
      logger: silentLogger,
    };
    const realm = "urn:uuid:7d1f1e5e-0000-4000-8000-000000000009";
    const { issuer } = provider;
    const verifier = new TokenVerifier({ ...options, issuer, realm });
    expect(await verifier.verify(await provider.token())).toMatchObject({ issuer: realm });
    const foreign = await provider.token({ claims: { iss: realm } });
    await expect(verifier.verify(foreign)).rejects.toMatchObject({ fault: "invalid" });
  });

  it("yields its subject and the client it was issued to", async () => {
    expect(await verifierOf(provider).verify(await provider.token())).toEqual({
      issuer: provider.issuer,
      subject: "7d1f1e5e-0000-4000-8000-000000000001",
      issuedAt: new Date(NOW),
      expiresAt: new Date("2026-11-21T13:00:00Z"),
      clientId: "7d1f1e5e-0000-4000-8000-000000000003",
      isOfPerson: true,
      email: "ada@example.com",
      emailVerified: false,
      name: "Ada",
      avatarUrl: undefined,
      authenticationMethods: [],
    });
  });

  it.each(["ES256", "RS256", "EdDSA"])("may be signed with %s", async (algorithm) => {
    await using own = await startTestProvider(new ManualClock(NOW));
    own.keys = [await makeSigningKey(algorithm)];
    await expect(verifierOf(own).verify(await own.token())).resolves.toBeDefined();
  });

  it.each<[string, Claims]>([
    ["several audiences, including ours", { aud: ["other", TEST_AUDIENCE] }],
    ["a start slightly in the future", { nbf: NOW_S + 5 }],
    ["an end slightly in the past", { exp: NOW_S - 4 }],
  ])("may have %s", async (_, claims) => {
    const token = await provider.token({ claims });
    await expect(verifierOf(provider).verify(token)).resolves.toBeDefined();
  });

  it("has no client when it belongs to a person's own session", async () => {
    const token = await provider.token({ claims: { client_id: undefined } });
    const claims = await verifierOf(provider).verify(token);
    expect(claims.clientId).toBeUndefined();
  });

  it.each<[string, unknown, string[]]>([
    [
      "objects",
      [{ method: "password", timestamp: NOW_S }, { method: "totp" }],
      ["password", "totp"],
    ],
    ["names", ["pwd", "otp"], ["pwd", "otp"]],
    ["with unusable names left out", [{}, 1, null, "", { method: "oauth" }], ["oauth"]],
    ["no list", "password", []],
  ])("yields how the session began: %s", async (_, amr, methods) => {
    const token = await provider.token({ claims: { amr } });
    expect((await verifierOf(provider).verify(token)).authenticationMethods).toEqual(methods);
  });

  it("has a verified address only if the provider says so, not from claims that people can edit", async () => {
    const edited = { user_metadata: { email_verified: true } };
    const verifier = verifierOf(provider);
    const verify = async (claims: Claims) =>
      (await verifier.verify(await provider.token({ claims }))).emailVerified;
    expect(await verify(edited)).toBe(false);
    expect(await verify({ email_verified: true })).toBe(true);
  });
});

describe("a token is refused", () => {
  const cases: [string, Claims, string][] = [
    ["for another issuer", { iss: "https://evil.example.com" }, "invalid"],
    ["for our issuer with a slash", { iss: "ISSUER/" }, "invalid"],
    ["for another audience", { aud: "other" }, "invalid"],
    ["without an audience", { aud: undefined }, "invalid"],
    ["without an issuer", { iss: undefined }, "invalid"],
    ["without a subject", { sub: undefined }, "invalid"],
    ["with an empty subject", { sub: "" }, "invalid"],
    ["without an expiry", { exp: undefined }, "invalid"],
    ["without an issue time", { iat: undefined }, "invalid"],
    ["without a session", { session_id: undefined }, "invalid"],
    ["with a client that is not text", { client_id: 7 }, "invalid"],
    ["with an empty client", { client_id: "" }, "invalid"],
    ["with a client that is null", { client_id: null }, "invalid"],
    ["that has expired", { exp: NOW_S - 5 }, "expired"],
    ["with a start in the future", { nbf: NOW_S + 6 }, "not_yet_valid"],
    ["with an issue time in the future", { iat: NOW_S + 6 }, "not_yet_valid"],
    ["with an impossible issue time", { iat: 1e300, exp: 2e300 }, "invalid"],
  ];
  it.each(cases)("%s", async (_, changes, fault) => {
    const iss = changes["iss"] === "ISSUER/" ? `${provider.issuer}/` : changes["iss"];
    const claims = "iss" in changes ? { ...changes, iss } : changes;
    const token = await provider.token({ claims });
    await expect(verifierOf(provider).verify(token)).rejects.toMatchObject({ fault });
  });

  const forgeries: [string, () => Promise<string>][] = [
    ["when it is unsigned", async () => new UnsecuredJWT({ sub: "x" }).encode()],
    ["when it is signed with HS256 and the public key", signedWithPublicKey],
    ["when its kid is unknown", () => provider.token({ header: { kid: "unknown" } })],
    ["when it has no kid", () => provider.token({ header: { kid: undefined } as never })],
    [
      "when another key signed it under a known kid",
      async () => {
        const key = await makeSigningKey();
        return provider.token({ key, header: { kid: provider.keys[0]?.kid ?? "" } });
      },
    ],
    [
      "when it contains its own key",
      async () => {
        const key = await makeSigningKey();
        const header = { jwk: key.publicJwk, jku: "http://127.0.0.1:1/jwks.json" };
        return provider.token({ key, header: { ...header, kid: key.kid } });
      },
    ],
    [
      "when it requires an extension",
      async () => {
        const key = provider.keys[0] ?? (await makeSigningKey());
        const header = { alg: key.algorithm, kid: key.kid, crit: ["exp"], exp: 1 };
        return new SignJWT({ sub: "x" })
          .setProtectedHeader(header)
          .sign(key.privateKey, { crit: { exp: true } });
      },
    ],
    ["when it is longer than 8 KB", () => provider.token({ claims: { x: "x".repeat(8_192) } })],
    ["when it is not a token", async () => "a.b.c"],
  ];
  it.each(forgeries)("%s", async (_, forge) => {
    const verifying = verifierOf(provider).verify(await forge());
    await expect(verifying).rejects.toMatchObject({ name: "TokenRefusal", fault: "invalid" });
  });

  it("however its text is changed", async () => {
    const verifier = verifierOf(provider);
    const good = await provider.token();
    await verifier.verify(good);
    const mutated = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.array(fc.base64String(), { maxLength: 6 }).map((parts) => parts.join(".")),
      fc
        .array(
          fc.json().map((text) => Buffer.from(text).toString("base64url")),
          { minLength: 2, maxLength: 5 },
        )
        .map((parts) => parts.join(".")),
      fc
        .tuple(fc.nat({ max: good.length - 1 }), fc.string({ minLength: 1, maxLength: 3 }))
        .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1))
        // The last character of a signature contains bits that decoding drops.
        .filter((text) => text.slice(0, -1) !== good.slice(0, -1)),
    );
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        await expect(verifier.verify(text)).rejects.toMatchObject({ name: "TokenRefusal" });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a refusal may be cached", () => {
  it.each<[string, TokenChanges, boolean]>([
    ["for an expired token", { claims: { exp: NOW_S - 5 } }, true],
    ["for a token of another issuer", { claims: { iss: "https://evil.example.com" } }, true],
    ["not while the token's start is in the future", { claims: { nbf: NOW_S + 6 } }, false],
    ["not while the token's issue time is in the future", { claims: { iat: NOW_S + 6 } }, false],
    ["not while its key is unknown", { header: { kid: "tomorrow" } }, false],
  ])("%s", async (_, changes, isFinal) => {
    const token = await provider.token(changes);
    await expect(verifierOf(provider).verify(token)).rejects.toMatchObject({ isFinal });
  });
});

it("a verified token is refused once it expires", async () => {
  const clock = new ManualClock(NOW);
  const verifier = verifierOf(provider, clock);
  const token = await provider.token({ claims: { exp: NOW_S + 10 } });
  await verifier.verify(token);
  clock.advance(15_000);
  await expect(verifier.verify(token)).rejects.toMatchObject({ fault: "expired" });
});

it("a token verified before the clock jumped ahead is trusted for another 30 s, and then refused", async () => {
  const clock = new ManualClock(NOW);
  const verifier = verifierOf(provider, clock);
  const token = await provider.token({ claims: { exp: NOW_S + 60 } });
  await verifier.verify(token);
  clock.step(600_000);
  clock.advance(29_999);
  await verifier.verify(token);
  clock.advance(1);
  await expect(verifier.verify(token)).rejects.toMatchObject({ fault: "expired" });
});

it("after the clock was set back, new tokens are valid, and older ones become so again", async () => {
  const clock = new ManualClock(NOW);
  const verifier = verifierOf(provider, clock);
  const token = await provider.token();
  clock.step(-120_000);
  await expect(verifier.verify(token)).rejects.toMatchObject({
    fault: "not_yet_valid",
    isFinal: false,
  });
  await verifier.verify(await provider.token({ claims: { iat: NOW_S - 120 } }));
  clock.advance(115_000);
  await verifier.verify(token);
});
