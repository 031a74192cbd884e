import type { SignInMethod } from "@nutrition/core/sign-in-method";

/** A sign-in method that is new for the account and not confirmed by the person. */
export interface NewSignInMethod {
  readonly method: SignInMethod;
  readonly firstSeenAt: Date;
}

/**
 * Whether a session that began with these methods may confirm others: a confirmed one is the person's, and a
 * link in a mail proves that its holder reads the mails of the account.
 */
export function mayConfirmMethods(
  ownMethods: readonly SignInMethod[],
  confirmed: ReadonlySet<SignInMethod>,
): boolean {
  return ownMethods.some((method) => method === "message" || confirmed.has(method));
}
