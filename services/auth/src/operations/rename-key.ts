import type { Database } from "@nutrition/postgres/database";

import type { Key } from "../domain/key.ts";
import { keyNotFound } from "../domain/key.ts";
import * as keys from "../store/key-store.ts";

/** Renames a key of the account; null removes the name. Of two at once, the later one stays. */
export async function renameKey(
  database: Database,
  accountId: string,
  { keyId, name }: { keyId: string; name: string | null },
): Promise<Key> {
  await keys.renameKey(database, { accountId, keyId, name });
  const found = await keys.findKey(database, accountId, { id: keyId });
  if (!found) throw keyNotFound();
  return found.key;
}
