/** A kind of sign-in method that people can tell apart. */
export type SignInMethod = "password" | "third_party" | "message" | "passkey" | "other";

/** A sign-in method that is new for the account and not confirmed by the person. */
export interface NewSignInMethod {
  readonly method: SignInMethod;
  readonly firstSeenAt: Date;
}

/** Supabase Auth's names. Signing up by e-mail both sets a password and proves the address. */
const METHODS: Readonly<Record<string, readonly SignInMethod[]>> = {
  password: ["password"],
  "email/signup": ["password", "message"],
  oauth: ["third_party"],
  "sso/saml": ["third_party"],
  otp: ["message"],
  magiclink: ["message"],
  recovery: ["message"],
  invite: ["message"],
  email_change: ["message"],
  passkey: ["passkey"],
};

const OTHER: readonly SignInMethod[] = ["other"];

/** Second factors: they accompany a sign-in method and are none themselves. */
const SECOND_FACTORS: ReadonlySet<string> = new Set(["totp", "mfa/phone", "mfa/webauthn"]);

/** Reads the sign-in methods of an `amr` claim (RFC 8176); empty when it names none. */
export function parseSignInMethods(authenticationMethods: readonly string[]): SignInMethod[] {
  const first = authenticationMethods.filter((name) => !SECOND_FACTORS.has(name));
  const found = first.flatMap((name) => (Object.hasOwn(METHODS, name) ? METHODS[name]! : OTHER));
  return [...new Set(found)];
}
