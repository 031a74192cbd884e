import type { SignInMethod } from "@nutrition/core/sign-in-method";

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
export function readSignInMethods(authenticationMethods: readonly string[]): SignInMethod[] {
  const first = authenticationMethods.filter((name) => !SECOND_FACTORS.has(name));
  const found = first.map((name) => (Object.hasOwn(METHODS, name) ? METHODS[name]! : "other"));
  return [...new Set(found)];
}
