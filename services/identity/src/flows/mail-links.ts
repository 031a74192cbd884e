import { randomBytes } from "node:crypto";

import type { CodeChallenge } from "../domain/pkce.ts";
import { withParameters } from "../domain/redirect.ts";
import type { MailLink, MailLinkType, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { hashPassword, randomPassword } from "../tokens/passwords.ts";
import { confirmEmail } from "./accounts.ts";
import { checkMailPause, sendMail } from "./mails.ts";

/** Authentication method of the session after a link to this provider, if the link has a challenge. */
export const METHODS: Readonly<Record<MailLinkType, string>> = {
  recovery: "recovery",
  signup: "email/signup",
  invite: "invite",
};

/** Begins the tokens of links with a challenge. */
export const PKCE_PREFIX = "pkce_";

/** A person has one token of each kind: a newer one replaces it, also one of the other type. */
const KINDS = { signup: "confirmation", invite: "confirmation", recovery: "recovery" } as const;

const MAILS = {
  recovery: {
    subject: "Reset your password",
    text: "Somebody asked to reset the password of this address. To choose a new one, open the link within an hour. If it was not you, do nothing.",
  },
  signup: {
    subject: "Confirm your e-mail address",
    text: "To confirm that this address is yours, open the link within an hour. If it was not you, do nothing.",
  },
};

export interface LinkOptions {
  readonly type: keyof typeof MAILS;
  readonly returnTo: string;
  readonly codeChallenge: CodeChallenge | undefined;
}

/** Sends a link. Throws 429 when mails are sent too often. */
export function sendLink(provider: Provider, user: User, options: LinkOptions): void {
  const { type, returnTo } = options;
  const sentAt = type === "signup" ? "confirmationSentAt" : "recoverySentAt";
  checkMailPause(provider, user[sentAt]);
  const token = newToken(options.codeChallenge === undefined ? "" : PKCE_PREFIX);
  sendMail(provider, {
    to: user.email,
    ...MAILS[type],
    link: addressOfLink(provider, { type, returnTo, token }),
  });
  putMailLink(provider, token, { ...options, userId: user.id });
  user[sentAt] = provider.clock.now().toISOString();
}

/** Creates an invitation, which whoever invites hands over. Returns its token. */
export function addInvitation(provider: Provider, user: User, returnTo: string): string {
  const token = newToken();
  const link = { type: "invite", userId: user.id, returnTo, codeChallenge: undefined } as const;
  putMailLink(provider, token, link);
  const now = provider.clock.now().toISOString();
  user.confirmationSentAt = now;
  user.invitedAt = now;
  return token;
}

function newToken(prefix = ""): string {
  return prefix + randomBytes(24).toString("base64url");
}

/** Remembers a link for an hour. */
function putMailLink({ pending }: Provider, token: string, link: MailLink): void {
  const key = tokenKey(link);
  const replaced = pending.mailTokens.take(key);
  if (replaced !== undefined) pending.mailLinks.delete(replaced);
  pending.mailLinks.set(token, link);
  pending.mailTokens.set(key, token);
}

function tokenKey({ userId, type }: Pick<MailLink, "userId" | "type">): string {
  return `${userId} ${KINDS[type]}`;
}

/** The address that the mail shows: the site's own page if it asks for the token, or this provider. */
function addressOfLink(
  provider: Provider,
  { type, returnTo, token }: { type: MailLinkType; returnTo: string; token: string },
): string {
  return provider.mailLinksTo === "site"
    ? siteLink(provider.siteUrl, { type, returnTo, token })
    : withParameters(`${provider.issuer}/verify`, { token, type, redirect_to: returnTo });
}

/** The link of the templates in `deploy/identity-provider/mail-templates`. */
function siteLink(
  siteUrl: string,
  { type, returnTo, token }: { type: MailLinkType; returnTo: string; token: string },
): string {
  const parameters = { token_hash: token, type, redirect_to: returnTo };
  return withParameters(`${siteUrl}/oauth/callback`, parameters);
}

/**
 * Uses a link, which proves that the person owns the address and voids all their links; undefined when it is
 * none, of another kind, or used. An invited person without a password gets a random one.
 */
export async function useMailLink(
  provider: Provider,
  token: string,
  type: string,
): Promise<MailLink | undefined> {
  const link = provider.pending.mailLinks.get(token);
  if (!link || !Object.hasOwn(KINDS, type)) return undefined;
  if (KINDS[link.type] !== KINDS[type as MailLinkType]) return undefined;
  const user = provider.directory.getUser(link.userId);
  if (!user) return undefined;
  voidMailLinks(provider, user);
  confirmEmail(user, provider.clock.now().toISOString());
  if (user.passwordHash === undefined && user.invitedAt !== undefined) {
    user.passwordHash = await hashPassword(randomPassword());
  }
  return link;
}

/** Makes all links of the person useless. */
export function voidMailLinks({ pending }: Provider, { id: userId }: User): void {
  for (const type of ["signup", "recovery"] as const) {
    const token = pending.mailTokens.take(tokenKey({ userId, type }));
    if (token !== undefined) pending.mailLinks.delete(token);
  }
}
