import { supabaseTokens } from "@nutrition/oauth/supabase/supabase-tokens";
import { importKeySet } from "@nutrition/oauth/verification-key";
import { z } from "zod";

import type { Finding } from "./finding.ts";
import { ok, problem, unchecked, warning } from "./finding.ts";
import type { Document } from "./read-document.ts";
import { checkApiKey, checkOpenAddresses, checkVersion } from "./check-self-hosted.ts";
import { readDocument } from "./read-document.ts";

const SUBJECT = "identity provider";
const DOCS = "docs/identity-provider.md";

const metadata = z.object({
  issuer: z.string(),
  registration_endpoint: z.string().exactOptional(),
  code_challenge_methods_supported: z.array(z.string()).default([]),
});

/** Public settings of Supabase Auth. */
const settings = z.object({
  mailer_autoconfirm: z.boolean(),
  external: z.record(z.string(), z.boolean()),
});

/** Sign-in methods that docs/identity-provider.md turns off, by the provider's names. */
const UNWANTED = { anonymous_users: "anonymous sign-ins", phone: "phone" } as const;

export interface ProviderOptions {
  /** Undefined when there is no provider or it is unknown. */
  issuer: string | undefined;
  /** Value of the header `apikey`, for hosted providers. */
  apiKey: string | undefined;
}

/** Checks what is visible of the identity provider from outside. */
export async function checkProvider({ issuer, apiKey }: ProviderOptions): Promise<Finding[]> {
  if (issuer === undefined) {
    const message = "Not checked: the gateway names no provider, or did not respond.";
    const advice = `For people to sign in, set AUTH_URL (${DOCS}).`;
    return [unchecked("provider_unknown", SUBJECT, { message, advice })];
  }
  const headers: Record<string, string> = apiKey === undefined ? {} : { apikey: apiKey };
  const [discovery, keySet, settings, ...own] = await Promise.all([
    readDocument(`${issuer}/.well-known/oauth-authorization-server`),
    readDocument(supabaseTokens.keySetUrl(issuer)),
    readDocument(`${issuer}/settings`, headers),
    checkOpenAddresses(issuer),
    checkVersion(issuer, headers),
    apiKey === undefined ? [] : checkApiKey(issuer, apiKey),
  ]);
  return [
    ...judgeDiscovery(issuer, discovery),
    ...own.flat(),
    await judgeKeySet(keySet),
    ...judgeSettings(settings),
    unchecked("provider_hidden_settings", SUBJECT, {
      message:
        "The access token hook and the settings for changing passwords and addresses cannot be seen from outside.",
      advice: `Check them as ${DOCS} says; its contract tests attack a test account.`,
    }),
  ];
}

function judgeDiscovery(issuer: string, document: Document | undefined): Finding[] {
  const { data } = metadata.safeParse(document?.json);
  if (!data) {
    const message = `Its discovery document is unreadable (${statusOf(document)}): no assistant can connect.`;
    const advice = `Check whether the provider runs, whether AUTH_URL is right, and whether its OAuth server is on (${DOCS}).`;
    return [problem("discovery_unreachable", SUBJECT, { message, advice })];
  }
  const findings: Finding[] = [];
  if (data.issuer === "") {
    const message = "It does not know its own address: every token is refused.";
    const advice = `Set GOTRUE_JWT_ISSUER to ${issuer} (${DOCS}).`;
    findings.push(problem("issuer_missing", SUBJECT, { message, advice }));
  } else if (data.issuer !== issuer) {
    const message = `Its issuer is ${data.issuer}, but the gateway expects ${issuer}: every token is refused.`;
    const advice = "Set AUTH_URL of gateway and web to exactly the provider's issuer.";
    findings.push(problem("issuer_differs", SUBJECT, { message, advice }));
  }
  if (data.registration_endpoint === undefined) {
    const message = "It does not allow clients to register: new assistants cannot connect.";
    const advice = `Turn on dynamic client registration (${DOCS}).`;
    findings.push(problem("registration_off", SUBJECT, { message, advice }));
  }
  if (!data.code_challenge_methods_supported.includes("S256")) {
    const message = "It does not offer PKCE with S256: assistants refuse to sign in.";
    const advice = "Update the provider.";
    findings.push(problem("pkce_missing", SUBJECT, { message, advice }));
  }
  if (findings.length > 0) return findings;
  return [ok("discovery_fits", SUBJECT, "Issuer, registration and PKCE are correct.")];
}

async function judgeKeySet(document: Document | undefined): Promise<Finding> {
  const keys = await importKeySet(document?.json).catch(() => undefined);
  if (document?.status !== 200 || !keys) {
    const message = `Its key set is unreadable (${statusOf(document)}): known keys stay in use for up to 24 h, then tokens are answered with 503.`;
    const advice =
      "Check whether the provider runs; see its status page and docs/runbooks/key-set-away.md.";
    return problem("key_set_away", SUBJECT, { message, advice });
  }
  if (keys.size === 0) {
    const message = "Its key set has no usable key: every token is refused.";
    const advice = `Make it sign with ES256 or RS256, not with a shared secret (${DOCS}).`;
    return problem("key_set_unusable", SUBJECT, { message, advice });
  }
  return ok("key_set_usable", SUBJECT, `Its key set has ${keys.size} usable keys.`);
}

function judgeSettings(document: Document | undefined): Finding[] {
  const { data } = settings.safeParse(document?.json);
  if (!data) {
    const message = `It does not show its sign-up settings (${statusOf(document)}).`;
    const advice = "A hosted project shows them with an API key: set AUTH_API_KEY.";
    return [unchecked("provider_settings_unseen", SUBJECT, { message, advice })];
  }
  const findings: Finding[] = [];
  if (data.mailer_autoconfirm) {
    const message =
      "It does not confirm e-mail addresses: anyone can sign up with another person's address and get the account created for it.";
    const advice = `Turn on "Confirm e-mail" (${DOCS}).`;
    findings.push(problem("email_unconfirmed", SUBJECT, { message, advice }));
  }
  for (const [name, words] of Object.entries(UNWANTED)) {
    if (data.external[name] !== true) continue;
    const message = `It allows ${words}: another way to add a sign-in to somebody's account.`;
    const advice = `Turn it off (${DOCS}).`;
    findings.push(warning("sign_in_unwanted", SUBJECT, { message, advice }));
  }
  if (findings.length > 0) return findings;
  return [ok("provider_settings_fit", SUBJECT, "Its visible settings are correct.")];
}

function statusOf(document: Document | undefined): string {
  return document ? `status ${document.status}` : "no answer";
}
