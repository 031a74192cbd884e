import type { Person } from "./person.ts";
import type { Backends } from "./backends.ts";
import { readDocument } from "./journal-documents.ts";
import { callOptionsFor } from "./call-options.ts";

/** The part of the public interface's Profile that pages need. */
export interface Profile {
  readonly name: string | null;
  readonly email: string | null;
  readonly has_premium: boolean | null;
  readonly is_beta_tester: boolean | null;
  readonly created_at: string | null;
}

/** Reads the person's profile. */
export async function getProfile({ auth }: Backends, person: Person): Promise<Profile> {
  const { json } = await auth.getProfile({}, callOptionsFor(person));
  return readDocument<Profile>(json);
}

/** Whether the account may connect assistants and log food; without it, API keys can only read. */
export function hasFullAccess({ has_premium, is_beta_tester }: Profile): boolean {
  return has_premium === true || is_beta_tester === true;
}
