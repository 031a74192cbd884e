import { isUuid } from "@nutrition/core/ids";

import type { AuthClient } from "./accounts.ts";
import { getAccount } from "./accounts.ts";
import { CALL } from "./call-options.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import { listKeys } from "./keys.ts";

/** The owner of a usage subject; null when unknown. */
export interface SubjectName {
  email: string | null;
  /** Name of the key. */
  key_name: string | null;
}

/** Maximum number of accounts, oldest first, whose keys are searched for the subjects. */
const ACCOUNTS_MAX = 500;

/**
 * Finds the owners of the subjects. A key does not reveal its account, so only keys of the
 * subjects' accounts and of the oldest accounts are found.
 */
export async function nameSubjects(
  auth: AuthClient,
  subjects: readonly string[],
): Promise<Map<string, SubjectName>> {
  const names = new Map<string, SubjectName>();
  // Names are optional, because usage must be available without auth.
  await addNames(auth, subjects, names).catch(() => {});
  return names;
}

async function addNames(
  auth: AuthClient,
  subjects: readonly string[],
  names: Map<string, SubjectName>,
): Promise<void> {
  const accounts = await mapConcurrently(subjects, async (subject) => {
    const [kind, id = ""] = subject.split(":");
    if (kind === "key" || !isUuid(id)) return [];
    // The account may have been erased meanwhile.
    const account = await getAccount(auth, id).catch(() => undefined);
    if (!account) return [];
    names.set(subject, { email: account.email, key_name: null });
    return [{ id, email: account.email }];
  });
  const keySubjects = new Set(subjects.filter((subject) => subject.startsWith("key:")));
  const addKeys = async ({ id, email }: { id: string; email: string | null }) => {
    if (keySubjects.size === 0) return;
    for (const key of await listKeys(auth, id, true)) {
      const subject = `key:${key.id}`;
      if (keySubjects.delete(subject))
        names.set(subject, { email: email || null, key_name: key.name });
    }
  };
  await mapConcurrently(accounts.flat(), addKeys);
  if (keySubjects.size === 0) return;
  const page = await auth.listAccounts({ pageSize: ACCOUNTS_MAX, pageToken: "" }, CALL);
  await mapConcurrently(page.accounts, addKeys);
}
