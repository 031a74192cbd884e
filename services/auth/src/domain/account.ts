import { Failure } from "@nutrition/core/failure";
import { characterCount } from "@nutrition/core/text";

import { displayableText, hasControlCharacters } from "./displayable-text.ts";

/** A person known to the service. */
export interface Account {
  id: string;
  email: string | null;
  name: string | null;
  avatarUrl: string | null;
  hasPremium: boolean;
  isBetaTester: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const EMAIL_LENGTH_MAX = 254;
const NAME_LENGTH_MAX = 200;
const AVATAR_URL_LENGTH_MAX = 2_048;

// The address syntax of HTML's e-mail field, with a domain of at least two labels.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** Normalizes an address for storage; `invalid_argument` for an invalid one. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (isEmail(email)) return email;
  throw new Failure(
    "invalid_argument",
    "INVALID_EMAIL",
    `The e-mail address must look like person@example.com and have at most ${EMAIL_LENGTH_MAX} characters.`,
  );
}

/** Whether `parseEmail` would accept `text` unchanged. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);
}

/**
 * Normalizes a display name for storage, null for an empty one; `invalid_argument` when it cannot
 * be shown.
 */
export function parseName(text: string): string | null {
  const name = text.normalize("NFC").trim();
  if (characterCount(name) > NAME_LENGTH_MAX || hasControlCharacters(name)) {
    throw new Failure(
      "invalid_argument",
      "INVALID_NAME",
      `The name must be one line of at most ${NAME_LENGTH_MAX} characters.`,
    );
  }
  return name === "" ? null : name;
}

/** The displayable part of a name from elsewhere; null if nothing is left. */
export function displayableName(text: string): string | null {
  return displayableText(text, NAME_LENGTH_MAX);
}

/** Normalizes the URL of a picture; null unless it is a usable https URL. */
export function displayableAvatarUrl(text: string): string | null {
  if (text.length > AVATAR_URL_LENGTH_MAX || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" && href.length <= AVATAR_URL_LENGTH_MAX ? href : null;
}

/** The failure for an unknown account id or address. */
export function accountNotFound(): Failure {
  return new Failure("not_found", "ACCOUNT_NOT_FOUND", "This account does not exist.");
}
