import { randomBytes } from "node:crypto";

import type { CodeChallenge } from "../domain/pkce.ts";
import { withParameters } from "../domain/redirect.ts";
import type { MailLink, MailLinkType, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { confirmEmail } from "./accounts.ts";

/** Authentication method of a session that a link begins. */
const METHODS: Readonly<Record<MailLinkType, string>> = {
  recovery: "recovery",
  signup: "email/signup",
  invite: "invite",
};

/** Remembers a link for an hour. Returns its token, which works once. */
export function addMailLink(
  { pending }: Provider,
  user: User,
  link: { type: MailLinkType; returnTo: string; codeChallenge?: CodeChallenge },
): string {
  const token = randomBytes(24).toString("base64url");
  const origin = { userId: user.id, method: METHODS[link.type], scopes: [] };
  pending.mailLinks.set(token, { ...link, origin });
  return token;
}

/** The address that the mail shows: the site's own page if it asks for the token, or this provider. */
export function addressOfLink(
  provider: Provider,
  { type, returnTo, token }: { type: MailLinkType; returnTo: string; token: string },
): string {
  return provider.mailLinksTo === "site"
    ? withParameters(returnTo, { token_hash: token, type })
    : withParameters(`${provider.issuer}/verify`, { token, type, redirect_to: returnTo });
}

/** Uses the link, which proves that the person owns the address; undefined when it is none or used. */
export function useMailLink(provider: Provider, token: string): MailLink | undefined {
  const link = provider.pending.mailLinks.take(token);
  const user = link && provider.directory.getUser(link.origin.userId);
  if (user) confirmEmail(user, provider.clock.now().toISOString());
  return user && link;
}
