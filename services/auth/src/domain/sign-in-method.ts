/** A kind of sign-in method that people can tell apart. */
export type SignInMethod = "password" | "third_party" | "message" | "passkey" | "other";

/** A sign-in method that is new for the account and not confirmed by the person. */
export interface NewSignInMethod {
  readonly method: SignInMethod;
  readonly firstSeenAt: Date;
}

/**
 * Supabase Auth's names. A link that confirms a sign-up is a message only: the password of the sign-up may be
 * a stranger's.
 */
const METHODS: Readonly<Record<string, SignInMethod>> = {
  password: "password",
  "email/signup": "message",
  oauth: "third_party",
  "sso/saml": "third_party",
  otp: "message",
  magiclink: "message",
  recovery: "message",
  invite: "message",
  email_change: "message",
  passkey: "passkey",
};

/** Second factors: they accompany a sign-in method and are none themselves. */
const SECOND_FACTORS: ReadonlySet<string> = new Set(["totp", "mfa/phone", "mfa/webauthn"]);

/** Reads the sign-in methods of an `amr` claim (RFC 8176); empty when it names none. */
export function parseSignInMethods(authenticationMethods: readonly string[]): SignInMethod[] {
  const first = authenticationMethods.filter((name) => !SECOND_FACTORS.has(name));
  const found = first.map((name) => (Object.hasOwn(METHODS, name) ? METHODS[name]! : "other"));
  return [...new Set(found)];
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
