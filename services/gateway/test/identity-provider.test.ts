import { createHash, randomBytes } from "node:crypto";

import { silentLogger } from "@nutrition/core/logger";
import { testIdentity } from "@nutrition/rpc/testing";
import type { RunningIdentity } from "@nutrition/test-support/identity-provider";
import { startIdentity } from "@nutrition/test-support/identity-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { GatewayFixture } from "./gateway-fixture.ts";
import { BASE_URL, bearer, startFixture } from "./gateway-fixture.ts";
import type { Person } from "./people.ts";
import { People } from "./people.ts";
import { startRealServices } from "./real-services.ts";
import type { RefusedRequest } from "./refusals.ts";
import { INVALID, NOT_GRANTED } from "./refusals.ts";

const EMAIL = "robin@example.com";
const PASSWORD = "correct horse battery";
const REDIRECT_URI = "http://127.0.0.1:43110/callback";

const ends = new AsyncDisposableStack();
let provider: RunningIdentity;
let people: People;
let fixture: GatewayFixture;

beforeAll(async () => {
  provider = ends.use(
    await startIdentity(
      {
        host: "127.0.0.1",
        port: 0,
        siteUrl: BASE_URL,
        allowedRedirects: [],
        users: [{ email: EMAIL, password: PASSWORD, name: "Robin", emailVerified: true }],
      },
      { logger: silentLogger },
    ),
  );
  const identity = await testIdentity();
  const services = ends.use(await startRealServices(identity));
  people = new People(services, provider);
  const { addresses: backends } = services;
  const config = { authUrl: provider.issuer };
  fixture = ends.use(await startFixture({ identity, backends, config }));
}, 60_000);
afterAll(() => ends.disposeAsync());

async function ask<Reply>(path: string, init: RequestInit & { token?: string } = {}) {
  const { token, ...rest } = init;
  const headers = { "content-type": "application/json", ...(token && bearer(token)) };
  const response = await fetch(provider.issuer + path, { headers, redirect: "manual", ...rest });
  const location = response.headers.get("location");
  return location === null ? ((await response.json()) as Reply) : ({ location } as Reply);
}

function send<Reply>(path: string, body: object, token = ""): Promise<Reply> {
  return ask<Reply>(path, { method: "POST", body: JSON.stringify(body), token });
}

/** Signs in with the password; the token is the person's own. */
async function signIn(): Promise<{ session: string; subject: string }> {
  const body = { email: EMAIL, password: PASSWORD };
  const reply = await send<{ access_token: string; user: { id: string } }>(
    "/token?grant_type=password",
    body,
  );
  return { session: reply.access_token, subject: reply.user.id };
}

interface ClientTokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/** Registers a client and approves it at the provider, without a grant here. */
async function connect(session: string): Promise<ClientTokens & { clientId: string }> {
  const { client_id: clientId } = await send<{ client_id: string }>("/oauth/clients/register", {
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: "none",
    client_name: "An assistant",
  });
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid email profile",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const { location } = await ask<{ location: string }>(`/oauth/authorize?${query}`);
  const id = new URL(location).searchParams.get("authorization_id");
  await ask(`/oauth/authorizations/${id}`, { token: session });
  const consent = await send<{ redirect_url: string }>(
    `/oauth/authorizations/${id}/consent`,
    { action: "approve" },
    session,
  );
  const tokens = await send<ClientTokens>("/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code: new URL(consent.redirect_url).searchParams.get("code"),
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
  return { ...tokens, clientId };
}

function refresh({ clientId, refresh_token }: { clientId: string; refresh_token: string }) {
  const body = { grant_type: "refresh_token", client_id: clientId, refresh_token };
  return send<ClientTokens>("/oauth/token", body);
}

const read = (token: string) => fixture.get("/api/v1/me", bearer(token));

/** Stores the person's grant for the client. */
async function allow(subject: string, clientId: string): Promise<Person> {
  const { accountId } = await people.signIn(subject);
  const person = { accountId, claims: { sub: subject, client_id: clientId } };
  await people.allow(person);
  return person;
}

describe("tokens of the development identity provider", () => {
  it("work once there is a grant here, too", async () => {
    const { session, subject } = await signIn();
    const tokens = await connect(session);
    expect(await read(tokens.access_token)).toMatchObject(withoutChallenge(NOT_GRANTED));
    await allow(subject, tokens.clientId);
    const renewed = await refresh(tokens);
    expect(await read(renewed.access_token)).toMatchObject({ status: 200 });
  });

  it("for a person or for the client itself are refused", async () => {
    const { session, subject } = await signIn();
    const tokens = await connect(session);
    await allow(subject, tokens.clientId);
    expect(tokens.id_token).toMatch(/^ey/);
    for (const token of [session, tokens.id_token]) {
      expect(await read(token)).toMatchObject(withoutChallenge(INVALID));
    }
  });

  it("stay valid when its keys rotate and while they cannot be fetched", async () => {
    const { session, subject } = await signIn();
    const tokens = await connect(session);
    await allow(subject, tokens.clientId);
    const before = await refresh(tokens);
    expect(await read(before.access_token)).toMatchObject({ status: 200 });
    await provider.faults.publishStandbyKey();
    provider.faults.keySet = "failing";
    await provider.faults.rotateKeys();
    expect(await read(before.access_token)).toMatchObject({ status: 200 });
    provider.faults.reset();
  });
});

function withoutChallenge({ status, body }: RefusedRequest) {
  return { status, body };
}
