import { ApiError } from "../errors.ts";
import { voidMailLinks } from "./mail-links.ts";
import type { Provider } from "../provider.ts";
import type { Session, User } from "../records/records.ts";
import { hashPassword, isPassword } from "../tokens/passwords.ts";
import type { Bearer } from "../tokens/token-issuer.ts";

/** Age up to which a session can change the password without a code from a mail. */
const RECENT_MS = 24 * 3_600_000;
/**
 * Authentication method of a session begun with a mail's link, which may set a password without the
 * old one.
 */
const MAIL_METHODS = ["otp", "magiclink", "recovery"];

export interface NewPassword {
  readonly password: string;
  readonly currentPassword: string;
  /** Code from the mail of `/reauthenticate`; empty without one. */
  readonly nonce: string;
}

/**
 * Sets a password under upstream's rules, checked in upstream's order, and ends all other sessions.
 */
export async function changePassword(
  provider: Provider,
  { user, session }: Bearer,
  asked: NewPassword,
): Promise<void> {
  checkReauthentication(provider, { user, session }, asked.nonce);
  if (user.passwordHash !== undefined) await checkCurrentPassword(provider, user, session, asked);
  if (await isPassword(asked.password, user.passwordHash)) {
    const message = "New password should be different from the old password.";
    throw new ApiError(422, "same_password", message);
  }
  user.passwordHash = await hashPassword(asked.password);
  if (!user.providers.includes("email")) user.providers.push("email");
  // Flows begun with the old password must not complete after the change.
  voidMailLinks(provider, user);
  delete user.confirmationSentAt;
  delete user.recoverySentAt;
  provider.pending.emailChanges.delete(user.id);
  provider.pending.reauthentications.delete(user.id);
  provider.directory.deleteSessions(({ id, userId }) => userId === user.id && id !== session.id);
}

function checkReauthentication(
  { security, clock, pending }: Provider,
  { user, session }: Bearer,
  nonce: string,
): void {
  const ageMs = clock.now().getTime() - Date.parse(session.authenticatedAt);
  if (!security.requireReauthentication || ageMs <= RECENT_MS) return;
  if (nonce === "") {
    const message = "Password update requires reauthentication";
    throw new ApiError(400, "reauthentication_needed", message);
  }
  if (pending.reauthentications.get(user.id) !== nonce) {
    throw new ApiError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
  pending.reauthentications.delete(user.id);
}

async function checkCurrentPassword(
  { security }: Provider,
  user: User,
  session: Session,
  { currentPassword }: NewPassword,
): Promise<void> {
  if (!security.requireCurrentPassword || MAIL_METHODS.includes(session.method)) return;
  const message = "Current password required when setting new password.";
  if (currentPassword === "") throw new ApiError(400, "current_password_required", message);
  if (await isPassword(currentPassword, user.passwordHash)) return;
  throw new ApiError(400, "current_password_invalid", message);
}
