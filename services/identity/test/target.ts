import { randomUUID } from "node:crypto";

import { Secret } from "@nutrition/core/secret";
import { GoTrueClient } from "@supabase/auth-js";

import type { IdentityConfig } from "../src/config.ts";
import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import type { FindMails } from "./received-mails.ts";
import { findMailsIn } from "./received-mails.ts";

export const SITE_URL = "http://127.0.0.1:3000";
export const EMAIL = "robin@example.com";
export const PASSWORD = "correct horse battery";
const ADMIN_KEY = "the-administrators-key";

export const USERS = [
  { email: EMAIL, password: PASSWORD, name: "Robin Keller", emailVerified: true },
  { email: "sam@example.com", password: PASSWORD, name: "Sam Okafor", emailVerified: true },
];

/** A configuration of the development provider with two users and no data file. */
export function testConfig(changes: Partial<IdentityConfig> = {}): IdentityConfig {
  const fixed = { host: "127.0.0.1", port: 0, siteUrl: SITE_URL, allowedRedirects: [] };
  return { ...fixed, users: USERS, adminKey: new Secret(ADMIN_KEY), ...changes };
}

/** A user, and the provider where they sign in. */
export interface TargetUser {
  issuer: string;
  email: string;
  password: string;
  /** Headers that every call to the account API needs. */
  headers: Record<string, string>;
}

/** The provider under test, with a user whose address is confirmed. */
export interface Target extends TargetUser, AsyncDisposable {
  /** Creates another such user, deleted at the end. */
  createUser(): Promise<TargetUser>;
  /** Calls as the administrator. */
  callAsAdmin(method: string, path: string, body?: unknown): Promise<Response>;
  findMails: FindMails;
}

/** A running development provider, with its first user. */
export function targetOf(identity: RunningIdentity): Target {
  const target = connect({ issuer: identity.issuer, key: ADMIN_KEY, headers: {} });
  return {
    ...target,
    email: EMAIL,
    password: PASSWORD,
    findMails: async (email) =>
      identity.inbox.flatMap(({ to, link }) => (to === email ? [link ?? ""] : [])),
    [Symbol.asyncDispose]: () => identity[Symbol.asyncDispose](),
  };
}

const REAL = {
  AUTH_CONTRACT_URL: "its issuer",
  AUTH_CONTRACT_KEY: "its service key",
  AUTH_CONTRACT_MAILS: "the folder or the Mailpit address of its mails",
};

/** The real installation named by the environment, otherwise the development provider. */
export async function openTarget(): Promise<Target> {
  const [issuer, key, mails] = Object.keys(REAL).map((name) => process.env[name]);
  if (issuer === undefined && key === undefined && mails === undefined) {
    warnOnce();
    return targetOf(await startIdentity(testConfig()));
  }
  if (issuer === undefined || key === undefined || mails === undefined) {
    const names = Object.entries(REAL).map(([name, what]) => `${name} (${what})`);
    throw new Error(`A real installation needs all of ${names.join(", ")}.`);
  }
  const target = connect({
    issuer: issuer.replace(/\/+$/, ""),
    key,
    headers: { apikey: key },
  });
  return { ...target, ...(await target.createUser()), findMails: findMailsIn(mails) };
}

let hasWarned = false;
function warnOnce(): void {
  if (hasWarned) return;
  hasWarned = true;
  // oxlint-disable-next-line no-console -- otherwise nobody would know why the tests are skipped
  console.warn(
    `Skipped: the contract with a real identity provider. To test one, set ${Object.keys(REAL).join(", ")} (services/identity/README.md).`,
  );
}

function connect({
  issuer,
  key,
  headers,
}: {
  issuer: string;
  key: string;
  headers: Record<string, string>;
}): Omit<Target, "findMails" | "email" | "password"> {
  const created: string[] = [];
  const callAsAdmin: Target["callAsAdmin"] = (method, path, body) =>
    fetch(`${issuer}/admin${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    issuer,
    headers,
    callAsAdmin,
    async createUser() {
      const user = { email: newEmail(), password: `A1! ${randomUUID()}` };
      const response = await callAsAdmin("POST", "/users", { ...user, email_confirm: true });
      if (!response.ok) throw new Error(`Not created: ${response.status} ${await response.text()}`);
      created.push(((await response.json()) as { id: string }).id);
      return { ...user, issuer, headers };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(created.map((id) => callAsAdmin("DELETE", `/users/${id}`)));
    },
  };
}

/** An address that nobody has. */
export function newEmail(): string {
  return `contract-${randomUUID()}@example.com`;
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
