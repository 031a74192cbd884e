/**
 * The behavior of the identity provider on which this service relies, tested with the official
 * clients. Runs against the development provider, or against a real Supabase Auth when
 * AUTH_CONTRACT_URL, AUTH_CONTRACT_KEY and AUTH_CONTRACT_MAILS are set, as services/identity/README.md
 * says. It must have the settings of docs/identity-provider.md.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Assistant, REDIRECT_URI, redirectOf } from "./assistant.ts";
import { openTarget, signIn, type Target, tokenOf } from "./target.ts";

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

describe("discovery", () => {
  test("the document is the same at every address that clients try, and cacheable for 10 minutes", async () => {
    const { origin, pathname } = new URL(target.issuer);
    const addresses = [
      `${origin}/.well-known/oauth-authorization-server${pathname.replace(/^\/$/, "")}`,
      `${origin}/.well-known/openid-configuration${pathname.replace(/^\/$/, "")}`,
      `${target.issuer}/.well-known/openid-configuration`,
    ];
    for (const address of addresses) {
      const response = await fetch(address);
      expect(response.headers.get("cache-control"), address).toBe("public, max-age=600");
      expect(await response.json(), address).toMatchObject({
        issuer: target.issuer,
        registration_endpoint: `${target.issuer}/oauth/clients/register`,
        code_challenge_methods_supported: expect.arrayContaining(["S256"]),
      });
    }
  });

  test("promises neither CIMD, nor an iss parameter, nor product permissions", async () => {
    const metadata = (await (await get("/.well-known/openid-configuration")).json()) as {
      scopes_supported: string[];
    };
    expect(metadata).not.toHaveProperty("client_id_metadata_document_supported");
    expect(metadata).not.toHaveProperty("authorization_response_iss_parameter_supported");
    expect(metadata.scopes_supported).not.toContain("nutrition.write");
  });

  test("the key set contains only public ES256 or RS256 keys", async () => {
    const { keys } = (await (await get("/.well-known/jwks.json")).json()) as {
      keys: Record<string, string>[];
    };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key["kty"] === "RSA" || key["crv"] === "P-256").toBe(true);
      expect(key).toHaveProperty("kid", expect.any(String));
      expect(key).not.toHaveProperty("d");
    }
  });
});

describe("registration", () => {
  test("a client that states nothing about itself is confidential", async () => {
    const response = await post("/oauth/clients/register", { redirect_uris: [REDIRECT_URI] });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      client_id: expect.stringMatching(UUID),
      client_secret: expect.any(String),
      client_type: "confidential",
      token_endpoint_auth_method: "client_secret_basic",
      response_types: ["code"],
      registration_type: "dynamic",
    });
  });

  test.each(["vscode://file/callback", "https://somebody:secret@example.com/callback"])(
    "accepts %s, which the consent page must check itself",
    async (uri) => {
      const response = await post("/oauth/clients/register", { redirect_uris: [uri] });
      expect(response.status).toBe(201);
    },
  );

  test.each([
    { redirect_uris: [] },
    { redirect_uris: ["http://example.com/callback"] },
    { redirect_uris: ["javascript:alert(1)"] },
    { redirect_uris: ["https://example.com/callback#here"] },
    { redirect_uris: ["com.example.app:/callback"] },
    { redirect_uris: ["http://127.0.0.2/callback"] },
    { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`) },
    { redirect_uris: [REDIRECT_URI], client_name: "n".repeat(1_025) },
    { redirect_uris: [REDIRECT_URI], grant_types: ["implicit"] },
  ])("refuses %j", async (body) => {
    const response = await post("/oauth/clients/register", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 400, error_code: "validation_failed" });
  });
});

describe("authorization", () => {
  test("PKCE is mandatory, and the client gets an error when it is missing", async () => {
    const location = await authorize({ state: "s" });
    expect(location.href).toContain(REDIRECT_URI);
    expect(location.searchParams.get("error")).toBe("invalid_request");
    expect(location.searchParams.get("state")).toBe("s");
  });

  test("refuses the product's permissions as scopes", async () => {
    const location = await authorize({
      scope: "service.read",
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    });
    expect(location.searchParams.get("error_description")).toContain("unsupported scope");
  });

  test("refuses a resource with a query", async () => {
    const location = await authorize({
      resource: "https://journal.example/mcp?x=1",
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    });
    expect(location.searchParams.get("error")).toBe("invalid_request");
  });

  test("never redirects to an unknown client or an unregistered address", async () => {
    const { information } = await Assistant.register(target.issuer);
    const unknown = { client_id: crypto.randomUUID(), redirect_uri: REDIRECT_URI };
    const foreign = { client_id: information.client_id, redirect_uri: `${REDIRECT_URI}/x` };
    for (const parameters of [unknown, foreign]) {
      const address = `${target.issuer}/oauth/authorize?${new URLSearchParams(parameters)}`;
      const response = await fetch(address, { redirect: "manual" });
      expect(response.status).toBe(400);
      expect(response.headers.get("location")).toBeNull();
    }
  });

  async function authorize(parameters: Record<string, string>) {
    const { information } = await Assistant.register(target.issuer);
    const query = new URLSearchParams({
      client_id: information.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      ...parameters,
    });
    return redirectOf(`${target.issuer}/oauth/authorize?${query}`);
  }
});

describe("consent", () => {
  test("the page gets the client, the scopes and the redirect address", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const { authorizationId } = await assistant.begin("openid email");
    const { data } = await person.oauth.getAuthorizationDetails(authorizationId);
    expect(data).toMatchObject({
      authorization_id: authorizationId,
      redirect_uri: REDIRECT_URI,
      client: { id: assistant.information.client_id, name: "Contract test" },
      user: { id: expect.stringMatching(UUID), email: target.email },
      scope: "openid email",
    });
  });

  test("a denial returns to the client and cannot be changed", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const { authorizationId } = await assistant.begin();
    await person.oauth.getAuthorizationDetails(authorizationId);
    const { data } = await person.oauth.denyAuthorization(authorizationId);
    const { searchParams } = new URL(data?.redirect_url ?? "");
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: "User denied the request",
      state: "the state",
    });
    const { error } = await person.oauth.approveAuthorization(authorizationId);
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("cannot be decided before the request was read", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    const { authorizationId } = await assistant.begin();
    const { error } = await person.oauth.approveAuthorization(authorizationId);
    expect(error).toMatchObject({ status: 404, code: "oauth_authorization_not_found" });
  });

  test("the first read approves a previously approved client, and a second read is refused", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    await assistant.connect(person);
    const { authorizationId, codeVerifier } = await assistant.begin();
    const first = await person.oauth.getAuthorizationDetails(authorizationId);
    expect(Object.keys(first.data ?? {})).toEqual(["redirect_url"]);
    const second = await person.oauth.getAuthorizationDetails(authorizationId);
    expect(second.error).toMatchObject({ status: 400, code: "validation_failed" });
    const { redirect_url = "" } = first.data as { redirect_url?: string };
    const code = new URL(redirect_url).searchParams.get("code") ?? "";
    expect((await assistant.exchange(code, codeVerifier)).access_token).toBeTypeOf("string");
  });

  test("a request for more than was approved before needs a new approval", async () => {
    const person = await signIn(target);
    const assistant = await Assistant.register(target.issuer);
    await assistant.connect(person);
    const { authorizationId } = await assistant.begin("email profile");
    const { data } = await person.oauth.getAuthorizationDetails(authorizationId);
    expect(data).toHaveProperty("client");
  });

  test("refuses consent from a page of another site", async () => {
    const token = await tokenOf(await signIn(target));
    const { authorizationId } = await (await Assistant.register(target.issuer)).begin();
    const origin = { origin: "https://evil.example" };
    const response = await get(`/oauth/authorizations/${authorizationId}`, token, origin);
    expect(response.status).toBe(400);
  });

  test.each([
    { name: "no token", token: undefined, status: 401, code: "no_authorization" },
    { name: "an invalid token", token: "x.y.z", status: 403, code: "bad_jwt" },
  ])("refuses $name", async ({ token, status, code }) => {
    const response = await get("/oauth/authorizations/none", token);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error_code: code });
  });
});
