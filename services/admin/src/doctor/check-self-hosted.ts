import { supabaseTokens } from "@nutrition/oauth/supabase/supabase-tokens";
import { z } from "zod";

import type { Finding } from "./finding.ts";
import { ok, problem, unchecked, warning } from "./finding.ts";
import { readDocument } from "./read-document.ts";

// What goes wrong with a Supabase Auth that an operator runs: a hosted project is always new, and opens its
// addresses to everybody.

const SUBJECT = "identity provider";
const DOCS = "docs/identity-provider-self-hosted.md";

/** Answers of a gateway in front that wants a key of its own, or lets nobody through. */
const CLOSED: readonly (number | undefined)[] = [401, 403];

/** The first release that requires the current password for a new one. */
const VERSION_MIN = "2.187.0";
/** The first release that gives one code to two simultaneous readers of an authorization. */
const VERSION_ADVISED = "2.190.0";

/** As in `v2.196.0-2-gbc32168e`. */
const VERSION = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})/;

const health = z.object({ version: z.string() });

/** Checks that assistants and browsers reach the provider without a key, which they do not have. */
export async function checkOpenAddresses(issuer: string): Promise<Finding[]> {
  const { origin, pathname } = new URL(issuer);
  const addresses = [
    `${issuer}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${pathname}`,
    supabaseTokens.keySetUrl(issuer),
    `${issuer}/oauth/authorize`,
    `${issuer}/oauth/clients/register`,
    `${issuer}/verify`,
  ];
  const documents = await Promise.all(addresses.map((address) => readDocument(address)));
  const closed = addresses.filter((_, index) => CLOSED.includes(documents[index]?.status));
  if (closed.length === 0) return [];
  return [
    problem("addresses_closed", SUBJECT, {
      message: `Something in front of it asks for a key at ${closed.join(", ")}: assistants and browsers have none, so nobody can connect.`,
      advice: `Open these addresses in that gateway (${DOCS}).`,
    }),
  ];
}

/** Checks the version: older ones silently ignore settings that protect people. */
export async function checkVersion(
  issuer: string,
  headers: Record<string, string>,
): Promise<Finding[]> {
  const document = await readDocument(`${issuer}/health`, headers);
  const version = VERSION.exec(health.safeParse(document?.json).data?.version ?? "")?.[1];
  if (version === undefined) {
    const message = "It does not show its version.";
    const advice = `Check that it is Supabase Auth ${VERSION_ADVISED} or newer (${DOCS}).`;
    return [unchecked("provider_version_unseen", SUBJECT, { message, advice })];
  }
  const advice = `Update it to ${VERSION_ADVISED} or newer (${DOCS}).`;
  if (isOlder(version, VERSION_MIN)) {
    const message = `Version ${version} ignores "Require current password": a connected assistant or an open browser is enough to change a password.`;
    return [problem("provider_outdated", SUBJECT, { message, advice })];
  }
  if (isOlder(version, VERSION_ADVISED)) {
    const message = `Version ${version} may give a connecting assistant two codes, of which only one works.`;
    return [warning("provider_outdated", SUBJECT, { message, advice })];
  }
  return [ok("provider_version_fits", SUBJECT, `Version ${version} knows all settings.`)];
}

/** Checks that the pages may invite and delete people with `AUTH_API_KEY`. */
export async function checkApiKey(issuer: string, apiKey: string): Promise<Finding[]> {
  const headers = { apikey: apiKey, authorization: `Bearer ${apiKey}` };
  const document = await readDocument(`${issuer}/admin/users?per_page=1`, headers);
  if (document?.status === 200) {
    return [ok("api_key_fits", SUBJECT, "AUTH_API_KEY opens its administration.")];
  }
  const answer = document ? `status ${document.status}` : "no answer";
  return [
    problem("api_key_refused", SUBJECT, {
      message: `AUTH_API_KEY does not open its administration (${answer}): nobody can be invited, and erased people stay known there.`,
      advice: `Hosted: set a secret key (sb_secret_…). Self-hosted: set a JWT with the role service_role, because Auth itself knows no other key (${DOCS}).`,
    }),
  ];
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
