import type { Person } from "../sessions/session.ts";
import type { Backends } from "./backends.ts";
import { readDocument } from "./journal-documents.ts";
import { callFor } from "./person-calls.ts";

/** Profile of the public interface, the part that pages need. */
export interface Profile {
  readonly name: string | null;
  readonly email: string | null;
  readonly has_premium: boolean | null;
  readonly is_beta_tester: boolean | null;
  readonly created_at: string | null;
}

/** The person's profile. */
export async function getProfile({ auth }: Backends, person: Person): Promise<Profile> {
  const { json } = await auth.getProfile({}, callFor(person));
  return readDocument<Profile>(json);
}

/** Whether assistants may be connected and food be logged; without it, API keys can only read. */
export function hasFullAccess({ has_premium, is_beta_tester }: Profile): boolean {
  return has_premium === true || is_beta_tester === true;
}
