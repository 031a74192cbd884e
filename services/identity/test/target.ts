import { GoTrueClient } from "@supabase/auth-js";

import type { IdentityConfig } from "../src/config.ts";
import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";

export const SITE_URL = "http://127.0.0.1:3000";
export const EMAIL = "robin@example.com";
export const PASSWORD = "correct horse battery";

export const USERS = [
  { email: EMAIL, password: PASSWORD, name: "Robin Keller", emailVerified: true },
  { email: "sam@example.com", password: PASSWORD, name: "Sam Okafor", emailVerified: true },
];

/** A configuration of the development provider with two users and no data file. */
export function testConfig(changes: Partial<IdentityConfig> = {}): IdentityConfig {
  const fixed = { host: "127.0.0.1", port: 0, siteUrl: SITE_URL, allowedRedirects: [] };
  return { ...fixed, users: USERS, ...changes };
}

/** A user, and the provider where they sign in. */
export interface TargetUser {
  issuer: string;
  email: string;
  password: string;
  /** Headers that every call to the account API needs. */
  headers: Record<string, string>;
}

/** The provider under test. */
export interface Target extends TargetUser, AsyncDisposable {}

/** A running development provider, with its first user. */
export function targetOf(identity: RunningIdentity): Target {
  return {
    issuer: identity.issuer,
    email: EMAIL,
    password: PASSWORD,
    headers: {},
    [Symbol.asyncDispose]: () => identity[Symbol.asyncDispose](),
  };
}

/** The real project named by the environment, otherwise the development provider. */
export async function openTarget(): Promise<Target> {
  const url = process.env["AUTH_CONTRACT_URL"];
  if (url === undefined) return targetOf(await startIdentity(testConfig()));
  return {
    issuer: url.replace(/\/+$/, ""),
    email: process.env["AUTH_CONTRACT_EMAIL"] ?? "",
    password: process.env["AUTH_CONTRACT_PASSWORD"] ?? "",
    headers: { apikey: process.env["AUTH_CONTRACT_API_KEY"] ?? "" },
    async [Symbol.asyncDispose]() {},
  };
}

/** The official client, without a session. */
export function newAuthClient({
  issuer,
  headers,
}: Pick<TargetUser, "issuer" | "headers">): GoTrueClient {
  return new GoTrueClient({
    url: issuer,
    headers,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    flowType: "pkce",
  });
}

/** The official client with a session of the user. */
export async function signIn(user: TargetUser): Promise<GoTrueClient> {
  const client = newAuthClient(user);
  const { email, password } = user;
  const { error } = await client.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

/** The access token of a signed-in client. */
export async function tokenOf(client: GoTrueClient): Promise<string> {
  const { data } = await client.getSession();
  return data.session?.access_token ?? "";
}
