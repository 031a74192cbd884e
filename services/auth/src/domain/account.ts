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

// The address form of HTML's e-mail field, with a domain of at least two labels.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** The address as it is stored; `invalid_argument` when it is none. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (isEmail(email)) return email;
  throw new Failure(
    "invalid_argument",
    "INVALID_EMAIL",
    `Give an e-mail address such as person@example.com, at most ${EMAIL_LENGTH_MAX} characters.`,
  );
}

/** Whether `text` is an address that `parseEmail` takes as it stands. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);
}

/** The display name as it is stored, null for none; `invalid_argument` when it cannot be shown. */
export function parseName(text: string): string | null {
  const name = text.normalize("NFC").trim();
  if (characterCount(name) > NAME_LENGTH_MAX || hasControlCharacters(name)) {
    throw new Failure(
      "invalid_argument",
      "INVALID_NAME",
      `Give a name on one line, at most ${NAME_LENGTH_MAX} characters.`,
    );
  }
  return name === "" ? null : name;
}

/** What can be shown of a name that somebody else checked or nobody did, null for nothing. */
export function displayableName(text: string): string | null {
  return displayableText(text, NAME_LENGTH_MAX);
}

/** The address of a picture as it is stored, null unless it is a usable https address. */
export function displayableAvatarUrl(text: string): string | null {
  if (text.length > AVATAR_URL_LENGTH_MAX || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" && href.length <= AVATAR_URL_LENGTH_MAX ? href : null;
}

/** No account answers to the id or the address that was given. */
export function accountNotFound(): Failure {
  return new Failure("not_found", "ACCOUNT_NOT_FOUND", "There is no such account.");
}
