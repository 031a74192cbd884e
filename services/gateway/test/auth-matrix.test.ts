import { createHmac, randomUUID } from "node:crypto";

import type { TestProvider } from "@nutrition/oauth/testing";
import { makeSigningKey, startTestProvider } from "@nutrition/oauth/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import fc from "fast-check";
import { UnsecuredJWT, decodeJwt, exportSPKI, importJWK } from "jose";
import type { CryptoKey } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Answer, GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { older, post } from "./mcp-fixture.ts";
import { People } from "./people.ts";
import type { RealServices } from "./real-services.ts";
import { startRealServices } from "./real-services.ts";
import type { RefusedRequest } from "./refusals.ts";
import * as refusals from "./refusals.ts";

type Headers = Record<string, string>;

let provider: TestProvider;
let services: RealServices;
let people: People;
let fixture: GatewayFixture;
const ends = new AsyncDisposableStack();

beforeAll(async () => {
  const identity = await testIdentity();
  provider = ends.use(await startTestProvider());
  services = ends.use(await startRealServices(identity));
  people = new People(services, provider);
  const { addresses: backends } = services;
  const config = { authUrl: provider.issuer };
  fixture = ends.use(await startFixture({ identity, backends, config }));
}, 60_000);
afterAll(() => ends.disposeAsync());

const nowS = () => Math.floor(Date.now() / 1_000);

/** A token of a person whose assistant is allowed everything, with changed claims. */
async function tokenWith(claims: Readonly<Record<string, unknown>>): Promise<Headers> {
  const person = await people.connected();
  return bearer(await provider.token({ claims: { ...person.claims, ...claims } }));
}

async function goodToken(): Promise<string> {
  const { claims } = await people.connected();
  return provider.token({ claims });
}

async function goodKey(): Promise<string> {
  return (await people.key()).text;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Valid claims under a MAC made with the public key, which everybody knows. */
async function tokenWithPublicKeyAsSecret(): Promise<string> {
  const [signing = await makeSigningKey()] = provider.keys;
  const publicKey = (await importJWK(signing.publicJwk, signing.algorithm)) as CryptoKey;
  const claims = encode(decodeJwt(await goodToken()));
  const signed = `${encode({ alg: "HS256", kid: signing.kid, typ: "JWT" })}.${claims}`;
  const mac = createHmac("sha256", await exportSPKI(publicKey))
    .update(signed)
    .digest("base64url");
  return `${signed}.${mac}`;
}

async function unconnected(): Promise<Headers> {
  const { claims } = await people.signIn();
  return bearer(await provider.token({ claims }));
}

async function revokedGrant(): Promise<Headers> {
  const person = await people.connected();
  const token = await provider.token({ claims: person.claims });
  await people.revoke(person);
  return bearer(token);
}

/** Consenting again does not revive earlier tokens. */
async function tokenFromBeforeGrant(): Promise<Headers> {
  const person = await people.connected();
  const token = await provider.token({ claims: { ...person.claims, iat: nowS() - 60 } });
  await people.revoke(person);
  await people.allow(person);
  return bearer(token);
}

async function lapsed(): Promise<Headers> {
  const person = await people.connected();
  await people.loseEntitlement(person);
  return bearer(await provider.token({ claims: person.claims }));
}

async function fromOtherKey(header: object): Promise<Headers> {
  const key = await makeSigningKey();
  const { claims } = await people.connected();
  return bearer(await provider.token({ claims, key, header: { ...header } }));
}

const MATRIX: readonly (readonly [string, () => Promise<Headers> | Headers, RefusedRequest])[] = [
  ["no credential", () => ({}), refusals.MISSING],
  ["another scheme", () => ({ authorization: "Basic eDp5" }), refusals.MALFORMED],
  ["a scheme alone", () => ({ authorization: "Bearer" }), refusals.MALFORMED],
  ["two words after the scheme", () => bearer("one two"), refusals.MALFORMED],
  [
    "two Authorization headers",
    async () => ({ authorization: `Bearer ${await goodKey()}, Bearer ${await goodToken()}` }),
    refusals.MALFORMED,
  ],
  [
    "two keys that differ",
    async () => ({ ...bearer(await goodKey()), "x-service-api-key": await goodKey() }),
    refusals.CONFLICTING,
  ],
  [
    "a token and a key",
    async () => ({ ...bearer(await goodToken()), "x-service-api-key": await goodKey() }),
    refusals.CONFLICTING,
  ],
  ["no token at all", () => bearer("a.b.c"), refusals.INVALID],
  [
    "a token in the header for keys",
    async () => keyHeader(await goodToken()),
    refusals.UNKNOWN_KEY,
  ],
  [
    "a wrong issuer",
    () => tokenWith({ iss: "https://evil.example.com/auth/v1" }),
    refusals.INVALID,
  ],
  ["a wrong audience", () => tokenWith({ aud: "another-service" }), refusals.INVALID],
  ["an expired token", () => tokenWith({ exp: nowS() - 60 }), refusals.EXPIRED],
  [
    "a token with a start in the future",
    () => tokenWith({ nbf: nowS() + 60 }),
    refusals.NOT_YET_VALID,
  ],
  [
    "a token with an issue time in the future",
    () => tokenWith({ iat: nowS() + 60 }),
    refusals.NOT_YET_VALID,
  ],
  [
    "alg none",
    async () => bearer(new UnsecuredJWT(decodeJwt(await goodToken())).encode()),
    refusals.INVALID,
  ],
  [
    "HS256 with the public key as the secret",
    async () => bearer(await tokenWithPublicKeyAsSecret()),
    refusals.INVALID,
  ],
  ["an unknown kid", () => fromOtherKey({}), refusals.INVALID],
  [
    "a known kid with a signature of another key",
    () => fromOtherKey({ kid: provider.keys[0]?.kid }),
    refusals.INVALID,
  ],
  ["an ID token", () => tokenWith({ aud: randomUUID(), role: undefined }), refusals.INVALID],
  ["a person's session token", () => tokenWith({ client_id: undefined }), refusals.INVALID],
  ["a token whose client is null", () => tokenWith({ client_id: null }), refusals.INVALID],
  ["an impossible client id", () => tokenWith({ client_id: "é".repeat(300) }), refusals.INVALID],
  ["a visitor's token", () => tokenWith({ is_anonymous: true }), refusals.INVALID],
  ["a service's token", () => tokenWith({ role: "service_role" }), refusals.INVALID],
  ["a token without a session", () => tokenWith({ session_id: undefined }), refusals.INVALID],
  ["a token of more than 8 KB", () => tokenWith({ note: "x".repeat(7_000) }), refusals.INVALID],
  ["a revoked grant", revokedGrant, refusals.REVOKED],
  ["another client than the allowed one", tokenFromBeforeGrant, refusals.REVOKED],
  ["no grant", unconnected, refusals.NOT_GRANTED],
  ["an unknown person", () => tokenWith({ sub: randomUUID() }), refusals.NOT_GRANTED],
  [
    "another client than was allowed",
    () => tokenWith({ client_id: randomUUID() }),
    refusals.NOT_GRANTED,
  ],
  ["lapsed premium", lapsed, refusals.NO_PREMIUM],
  ["a revoked key", async () => bearer(await people.revokedKey()), refusals.REVOKED_KEY],
  ["an expired key", async () => bearer(await people.expiredKey()), refusals.EXPIRED_KEY],
  ["a key with a wrong checksum", async () => bearer(`${await goodKey()}0`), refusals.UNKNOWN_KEY],
  ["an empty header for keys", () => keyHeader(""), refusals.MISSING],
  ["an unknown key in its own header", () => keyHeader("service_live_x_y"), refusals.UNKNOWN_KEY],
];

function keyHeader(text: string): Headers {
  return { "x-service-api-key": text };
}

/** REST and the tool endpoint. */
const DOORS: readonly (readonly [string, (headers: Headers) => Promise<Answer>])[] = [
  ["/api/v1/me", (headers) => fixture.get("/api/v1/me", headers)],
  ["/mcp", (headers) => ask(headers)],
];

/** The smallest call of the tool endpoint, with only these credentials. */
function ask(headers: Headers): Promise<Answer> {
  return post(fixture, older("ping"), { authorization: undefined, ...headers });
}

describe.each(DOORS)("at %s", (_path, request) => {
  it.each(MATRIX)("refuses %s with exactly this response", async (_name, makeHeaders, refused) => {
    const answer = await request(await makeHeaders());
    const challenge = answer.headers.get("www-authenticate");
    expect({ status: answer.status, body: answer.body, challenge }).toEqual(refused);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("ratelimit")).toBe(false);
  });

  it("accepts a valid key and a valid token, each counted by its own limit", async () => {
    const withKey = await request(bearer(await goodKey()));
    expect(withKey.status).toBe(200);
    expect(withKey.headers.get("ratelimit-policy")).toBe('"key-hour";q=120;w=3600');
    const withToken = await request(bearer(await goodToken()));
    expect(withToken.status).toBe(200);
    expect(withToken.headers.get("ratelimit-policy")).toBe('"connector-hour";q=240;w=3600');
    expect(withToken.headers.get("ratelimit")).toMatch(/^"connector-hour";r=239;t=\d+$/);
  });

  it("refuses arbitrary text as a token, without an internal error", async () => {
    const good = await goodToken();
    const mutated = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9._~+/=-]{1,200}$/),
      fc
        .array(
          fc.json().map((text) => Buffer.from(text).toString("base64url")),
          {
            minLength: 3,
            maxLength: 3,
          },
        )
        .map((parts) => parts.join(".")),
      // The last character of a signature contains bits that decoding drops.
      fc
        .tuple(fc.nat({ max: good.length - 2 }), fc.stringMatching(/^[A-Za-z0-9._-]{0,3}$/))
        .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1))
        .filter((text) => text !== good),
    );
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        expect(await request(bearer(text))).toMatchObject({ status: 401 });
      }),
      { numRuns: 100 },
    );
  });
});

describe("a token in the query", () => {
  it.each(["/api/v1/me", "/mcp"])("is not accepted at %s", async (path) => {
    const token = await goodToken();
    const method = path === "/mcp" ? "POST" : "GET";
    const answer = await fixture.send(`${path}?access_token=${token}`, { method });
    const challenge = answer.headers.get("www-authenticate");
    expect({ status: answer.status, body: answer.body, challenge }).toEqual(refusals.MISSING);
  });
});
