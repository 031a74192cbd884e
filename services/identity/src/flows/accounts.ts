import { randomUUID } from "node:crypto";

import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { User } from "../records/records.ts";

export interface NewUser {
  email: string;
  /** Profile data such as the name, as the person entered it. */
  metadata: Readonly<Record<string, unknown>>;
  /** `email` or a third party's. */
  provider: string;
  passwordHash?: string;
  isConfirmed: boolean;
}

/** Creates a user; the address must be unused. */
export function insertUser(
  { clock, directory }: Pick<Provider, "clock" | "directory">,
  asked: NewUser,
): User {
  const now = clock.now().toISOString();
  const id = randomUUID();
  const email = asked.email.toLowerCase();
  const user: User = {
    id,
    email,
    ...(asked.passwordHash === undefined ? {} : { passwordHash: asked.passwordHash }),
    providers: [asked.provider],
    metadata: { ...asked.metadata, email, email_verified: false, phone_verified: false, sub: id },
    createdAt: now,
    updatedAt: now,
  };
  if (asked.isConfirmed) confirmEmail(user, now);
  if (!directory.insertUser(user)) {
    throw new ApiError(
      429,
      "over_request_rate_limit",
      "There are too many users; delete the data file.",
    );
  }
  return user;
}

/** Records that the person proved ownership of the address. */
export function confirmEmail(user: User, now: string): void {
  user.emailConfirmedAt ??= now;
  user.metadata = { ...user.metadata, email_verified: true };
  user.updatedAt = now;
}

/**
 * Finds or creates the user of a third-party sign-in. An account with the same, never confirmed
 * address is taken over and loses its password, which may be a stranger's.
 */
export function signInElsewhere(
  provider: Provider,
  { email, name, from }: { email: string; name: string; from: string },
): User {
  const existing = provider.directory.findUserByEmail(email);
  const metadata = { name, full_name: name };
  if (!existing)
    return insertUser(provider, { email, metadata, provider: from, isConfirmed: true });
  const now = provider.clock.now().toISOString();
  if (existing.emailConfirmedAt === undefined) {
    delete existing.passwordHash;
    existing.providers = [];
    confirmEmail(existing, now);
  }
  existing.providers = [...new Set([...existing.providers, from])];
  existing.metadata = { ...metadata, ...existing.metadata };
  return existing;
}
