import { createHash } from "node:crypto";

import type { Answer, Browser } from "./browser.ts";
import type { WebFixture } from "./web-fixture.ts";

/** An OAuth client that has registered itself. */
export interface TestClient {
  readonly clientId: string;
  readonly redirectUri: string;
}

export async function registerClient(
  { provider }: WebFixture,
  {
    name = "Claude",
    redirectUri = "https://claude.ai/api/mcp/auth_callback",
    otherUris = [] as string[],
  } = {},
): Promise<TestClient> {
  const response = await fetch(`${provider.issuer}/oauth/clients/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri, ...otherUris],
      token_endpoint_auth_method: "none",
    }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  return { clientId, redirectUri };
}

const VERIFIER = "v".repeat(64);

/** Sends a browser to the provider, as a client does. Returns the path of the consent page. */
export async function authorize(
  { provider }: WebFixture,
  { clientId, redirectUri }: TestClient,
  scope = "openid email",
): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state: "the-state",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  });
  const response = await fetch(`${provider.issuer}/oauth/authorize?${query}`, {
    redirect: "manual",
  });
  const { pathname, search } = new URL(response.headers.get("location") ?? "");
  return pathname + search;
}

/**
 * Exchanges the code in the client's address for tokens; returns the status when that is refused.
 */
export async function exchange(
  { provider }: WebFixture,
  { clientId, redirectUri }: TestClient,
  code: string,
): Promise<{ accessToken: string; refreshToken: string } | number> {
  const response = await fetch(`${provider.issuer}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: VERIFIER,
    }),
  });
  if (response.status !== 200) return response.status;
  const body = (await response.json()) as { access_token: string; refresh_token: string };
  return { accessToken: body.access_token, refreshToken: body.refresh_token };
}

/** Whether the provider still lets the client refresh its token. */
export async function canRenew(
  { provider }: WebFixture,
  { clientId }: TestClient,
  refreshToken: string,
): Promise<boolean> {
  const response = await fetch(`${provider.issuer}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: refreshToken,
    }),
  });
  return response.status === 200;
}

/** The id of the authorization in a consent path. */
export function authorizationId(path: string): string {
  return new URL(path, "http://any").searchParams.get("authorization_id") ?? "";
}

/** Sends the consent page's form. */
export function decide(
  browser: Browser,
  path: string,
  form: { decision: string; csrf?: string },
): Promise<Answer> {
  return browser.post("/oauth/consent", { authorization_id: authorizationId(path), ...form });
}

/** Address to which a page continues automatically. */
export function returnOf({ text }: Answer): URL | undefined {
  const address = /content="0;url=([^"]*)"/.exec(text)?.[1];
  return address === undefined ? undefined : new URL(address.replaceAll("&amp;", "&"));
}

/** Connects the client, which gets its tokens. */
export async function connect(
  web: WebFixture,
  browser: Browser,
  client: TestClient,
): Promise<{ accessToken: string; refreshToken: string }> {
  const path = await authorize(web, client);
  await browser.get(path);
  await decide(browser, path, { decision: "read" });
  const code = returnOf(await browser.get(path))?.searchParams.get("code") ?? "";
  const tokens = await exchange(web, client, code);
  if (typeof tokens === "number") throw new Error(`The code was refused: ${tokens}.`);
  return tokens;
}
