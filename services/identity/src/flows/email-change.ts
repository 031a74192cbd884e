import { randomBytes } from "node:crypto";

import { withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import type { EmailChange, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { sendMail } from "./mails.ts";

/**
 * Requests a change of address: sends a mail to the new address and, with the secure setting, to
 * the old one. Nothing changes until every link has been opened.
 */
export function beginEmailChange(provider: Provider, user: User, email: string): void {
  const newEmail = email.toLowerCase();
  if (newEmail === user.email) return;
  if (provider.directory.findUserByEmail(newEmail)) {
    const message = "A user with this email address has already been registered";
    throw new ApiError(422, "email_exists", message);
  }
  const addresses = provider.security.secureEmailChange ? [user.email, newEmail] : [newEmail];
  const change: EmailChange = { userId: user.id, newEmail, open: new Set(addresses) };
  provider.pending.emailChanges.set(user.id, change);
  for (const address of addresses) sendChangeMail(provider, change, address);
}

function sendChangeMail(provider: Provider, change: EmailChange, address: string): void {
  const token = randomBytes(24).toString("base64url");
  provider.pending.emailChangeLinks.set(token, { change, address });
  sendMail(provider, {
    to: address,
    subject: "Confirm the change of your e-mail address",
    text: `Somebody asked to change the address of this account to ${change.newEmail}. To allow it, open the link within an hour. If it was not you, do nothing, and choose a new password.`,
    link: withParameters(`${provider.issuer}/verify`, { token, type: "email_change" }),
  });
}

/** Result of opening such a link: `unknown` if it has expired, was used or was replaced. */
export function confirmEmailChange(
  { pending, directory, clock }: Provider,
  token: string,
): "unknown" | "one_to_go" | "changed" {
  const link = pending.emailChangeLinks.take(token);
  const user = link && directory.getUser(link.change.userId);
  if (!user || pending.emailChanges.get(user.id) !== link.change) return "unknown";
  const { change, address } = link;
  change.open.delete(address);
  if (change.open.size > 0) return "one_to_go";
  pending.emailChanges.delete(user.id);
  const now = clock.now().toISOString();
  user.email = change.newEmail;
  user.emailConfirmedAt = now;
  user.updatedAt = now;
  user.metadata = { ...user.metadata, email: change.newEmail, email_verified: true };
  return "changed";
}
