import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { hashPassword } from "../tokens/passwords.ts";
import { insertUser } from "./accounts.ts";
import type { LinkOptions } from "./mail-links.ts";
import { sendLink } from "./mail-links.ts";

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly link: Omit<LinkOptions, "type">;
}

/**
 * Creates a user, or sends another mail to one who has not confirmed the address. As upstream, it leaves that
 * user's password as it was at the first sign-up, answers `exists` for a confirmed address, and 500 to the
 * second of two simultaneous sign-ups.
 */
export async function signUp(provider: Provider, asked: SignUp): Promise<User | "exists"> {
  const { email, metadata, link } = asked;
  const existing = provider.directory.findUserByEmail(email);
  if (existing?.emailConfirmedAt !== undefined) return "exists";
  const user = existing ?? (await insertNewUser(provider, { email, metadata }, asked.password));
  if (provider.autoconfirm) return user;
  try {
    sendLink(provider, user, { type: "signup", ...link });
  } catch (error) {
    if (!existing) provider.directory.deleteUser(user.id);
    throw error;
  }
  return user;
}

async function insertNewUser(
  provider: Provider,
  { email, metadata }: Pick<SignUp, "email" | "metadata">,
  password: string,
): Promise<User> {
  const passwordHash = await hashPassword(password);
  if (provider.directory.findUserByEmail(email)) {
    throw new ApiError(500, "unexpected_failure", "Database error saving new user");
  }
  const isConfirmed = provider.autoconfirm;
  return insertUser(provider, { email, metadata, passwordHash, provider: "email", isConfirmed });
}
