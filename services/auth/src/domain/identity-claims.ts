import { Failure } from "@nutrition/core/failure";

import { displayableAvatarUrl, displayableName, isEmail } from "./account.ts";

/** A person's identity at the provider: the only thing an account is bound to. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** Claims about a person that an account can be created from. */
export interface PersonClaims extends Identity {
  /** Null unless the provider has verified it. */
  verifiedEmail: string | null;
  name: string | null;
  avatarUrl: string | null;
}

const IDENTIFIER_LENGTH_MAX = 500;

/** Reads the claims of a validated token; `invalid_argument` when they identify nobody. */
export function parsePersonClaims(claims: {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
  avatarUrl: string;
}): PersonClaims {
  const { email, emailVerified } = claims;
  return {
    ...parseIdentity(claims),
    verifiedEmail: emailVerified && isEmail(email) ? email : null,
    name: displayableName(claims.name),
    avatarUrl: displayableAvatarUrl(claims.avatarUrl),
  };
}

/** Reads who somebody is; `invalid_argument` when it identifies nobody. */
export function parseIdentity({ issuer, subject }: Identity): Identity {
  if (isIdentifier(issuer) && isIdentifier(subject)) return { issuer, subject };
  throw new Failure(
    "invalid_argument",
    "INVALID_CLAIMS",
    `The claims must have an issuer and a subject of 1 to ${IDENTIFIER_LENGTH_MAX} characters each.`,
  );
}

function isIdentifier(text: string): boolean {
  return text !== "" && text.length <= IDENTIFIER_LENGTH_MAX && !/\p{Cc}/u.test(text);
}
