/** The rest of the contract: tokens, grants and sessions. `contract.test.ts` says how to run it. */
import type { OAuthClientProvider, OAuthTokens } from "@modelcontextprotocol/client";
import { auth } from "@modelcontextprotocol/client";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Assistant, decide, REDIRECT_URI, redirectOf } from "./assistant.ts";
import { newAuthClient, openTarget, signIn, type Target, tokenOf } from "./target.ts";

let target: Target;
beforeAll(async () => void (target = await openTarget()));
afterAll(() => target[Symbol.asyncDispose]());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function get(path: string, token?: string, headers: Record<string, string> = {}) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(`${target.issuer}${path}`, {
    headers: { ...target.headers, ...authorization, ...headers },
  });
}

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${target.issuer}${path}`, {
    method: "POST",
    headers: { ...target.headers, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

describe("tokens of a client", () => {
  test("are signed by a published key and name issuer, audience and client", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const { access_token } = await assistant.connect(person, "openid email");
    const keys = createRemoteJWKSet(new URL(`${target.issuer}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(access_token, keys, {
      issuer: target.issuer,
      audience: "authenticated",
    });
    expect(protectedHeader).toMatchObject({
      alg: expect.stringMatching(/^(ES|RS)256$/),
      typ: "JWT",
    });
    expect(payload).toMatchObject({
      sub: expect.stringMatching(UUID),
      email: target.email,
      role: "authenticated",
      session_id: expect.stringMatching(UUID),
      is_anonymous: false,
      amr: [{ method: "oauth_provider/authorization_code", timestamp: expect.any(Number) }],
      client_id: assistant.information.client_id,
      scope: "openid email",
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
  });

  test("an ID token names the client, and needs a code with the scope openid", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const tokens = await assistant.connect(person, "openid email");
    const { id_token = "", refresh_token = "" } = tokens;
    expect(decodeJwt(id_token)).toMatchObject({
      iss: target.issuer,
      aud: assistant.information.client_id,
      email: target.email,
    });
    expect(await assistant.refresh(refresh_token)).not.toHaveProperty("id_token");
    const other = await Assistant.register(target.issuer);
    expect(await other.connect(person, "email")).not.toHaveProperty("id_token");
  });

  test("a code works once, and only with its verifier", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const { authorizationId, codeVerifier } = await assistant.begin();
    const code = (await decide(person, authorizationId)).searchParams.get("code") ?? "";
    await assistant.exchange(code, codeVerifier);
    await expect(assistant.exchange(code, codeVerifier)).rejects.toMatchObject({
      code: "invalid_grant",
    });
    const next = await assistant.begin();
    const nextCode = (await decide(person, next.authorizationId)).searchParams.get("code") ?? "";
    await expect(assistant.exchange(nextCode, "v".repeat(43))).rejects.toMatchObject({
      code: "invalid_grant",
    });
  });

  test("a confidential client authenticates with its secret", async () => {
    const person = await signIn(target);
    const method = "client_secret_post";
    const assistant = await Assistant.register(target.issuer, {
      token_endpoint_auth_method: method,
    });
    expect((await assistant.connect(person)).token_type.toLowerCase()).toBe("bearer");
    const response = await post("/oauth/token", {
      grant_type: "refresh_token",
      client_id: assistant.information.client_id,
      client_secret: "wrong",
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "invalid_credentials" });
  });

  test("refreshing returns a new refresh token", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const first = await assistant.connect(person);
    const second = await assistant.refresh(first.refresh_token ?? "");
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(decodeJwt(second.access_token)["session_id"]).toBe(
      decodeJwt(first.access_token)["session_id"],
    );
  });
});

describe("grants", () => {
  test("revoking one ends the client's sessions", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const clientId = assistant.information.client_id;
    const tokens = await assistant.connect(person);
    const listed = await person.oauth.listGrants();
    expect(listed.data?.find(({ client }) => client.id === clientId)).toMatchObject({
      scopes: ["email"],
      granted_at: expect.any(String),
    });
    expect((await person.oauth.revokeGrant({ clientId })).error).toBeNull();
    const refused = await post("/oauth/token", {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: tokens.refresh_token,
    });
    expect(refused.status).toBe(400);
    // Not in the format of OAuth, so clients do not recognize it as invalid_grant.
    expect(await refused.json()).toMatchObject({
      code: 400,
      error_code: "refresh_token_not_found",
      msg: expect.any(String),
    });
    const { error } = await person.oauth.revokeGrant({ clientId });
    expect(error).toMatchObject({ status: 404, code: "oauth_consent_not_found" });
  });
});

describe("a person's session", () => {
  test("has the same claims as a client's token, except for the client", async () => {
    const claims = decodeJwt(await tokenOf(await signIn(target)));
    expect(claims).toMatchObject({
      iss: target.issuer,
      aud: "authenticated",
      email: target.email,
      amr: [{ method: "password", timestamp: expect.any(Number) }],
    });
    expect(claims).not.toHaveProperty("client_id");
  });

  test("cannot be continued by a client, nor a client's by the person", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const clients = await assistant.connect(person);
    const { data } = await person.getSession();
    const asPerson = await post("/token?grant_type=refresh_token", {
      refresh_token: clients.refresh_token,
    });
    const asClient = await post("/oauth/token", {
      grant_type: "refresh_token",
      client_id: assistant.information.client_id,
      refresh_token: data.session?.refresh_token,
    });
    for (const response of [asPerson, asClient]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "invalid_client" });
    }
  });

  test("continues with its refresh token, and ends with the sign-out", async () => {
    const person = await signIn(target);
    const { data } = await person.refreshSession();
    expect(data.session?.access_token).toBeTypeOf("string");
    expect((await person.getUser()).data.user).toMatchObject({
      email: target.email,
      email_confirmed_at: expect.any(String),
    });
    const token = await tokenOf(person);
    await person.signOut({ scope: "local" });
    expect((await get("/user", token)).status).toBe(403);
  });

  test("a wrong password has its own error code", async () => {
    const { error } = await newAuthClient(target).signInWithPassword({
      email: target.email,
      password: `not ${target.password}`,
    });
    expect(error).toMatchObject({ status: 400, code: "invalid_credentials" });
  });
});

test("an error has the format of the requested API version", async () => {
  const plain = await get("/user");
  expect(plain.headers.get("x-sb-error-code")).toBe("no_authorization");
  expect(await plain.json()).toMatchObject({ code: 401, error_code: "no_authorization" });
  const version = { "x-supabase-api-version": "2024-01-01" };
  const versioned = await get("/user", undefined, version);
  expect(versioned.headers.get("x-supabase-api-version")).toBe("2024-01-01");
  expect(await versioned.json()).toEqual({ code: "no_authorization", message: expect.any(String) });
});

test("the official MCP client completes the flow unaided", async () => {
  const person = await signIn(target);
  const resource = "https://journal.example/mcp";
  const stored: Record<string, unknown> = {};
  let authorizationUrl: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: "Unaided", redirect_uris: [REDIRECT_URI] },
    clientInformation: () => stored["client"] as never,
    saveClientInformation: (client) => void (stored["client"] = client),
    tokens: () => stored["tokens"] as never,
    discoveryState: () => stored["discovery"] as never,
    saveDiscoveryState: (state) => void (stored["discovery"] = state),
    saveTokens: (tokens) => void (stored["tokens"] = tokens),
    redirectToAuthorization: (address) => void (authorizationUrl = address),
    saveCodeVerifier: (verifier) => void (stored["verifier"] = verifier),
    codeVerifier: () => stored["verifier"] as string,
  };
  const options = { serverUrl: resource, fetchFn: withResource(resource) };
  expect(await auth(provider, options)).toBe("REDIRECT");
  const consentPage = await redirectOf(authorizationUrl ?? "");
  const redirect = await decide(person, consentPage.searchParams.get("authorization_id") ?? "");
  const authorizationCode = redirect.searchParams.get("code") ?? "";
  expect(await auth(provider, { ...options, authorizationCode })).toBe("AUTHORIZED");
  const first = stored["tokens"] as OAuthTokens;
  expect(await auth(provider, options)).toBe("AUTHORIZED");
  expect((stored["tokens"] as OAuthTokens).refresh_token).not.toBe(first.refresh_token);
});

/** Serves the metadata of a resource that names the target; everything else is really fetched. */
function withResource(resource: string): typeof fetch {
  return (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    if (!address.startsWith(new URL(resource).origin)) return fetch(input, init);
    const metadata = {
      resource,
      authorization_servers: [target.issuer],
      scopes_supported: ["openid", "email"],
    };
    return Promise.resolve(Response.json(metadata));
  };
}
