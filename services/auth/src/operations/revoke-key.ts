import type { Database } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Key } from "../domain/key.ts";
import { keyNotFound } from "../domain/key.ts";
import * as keys from "../store/key-store.ts";

/** Revokes a key of the account permanently; revoking it again has no effect. */
export async function revokeKey(
  dependencies: { database: Database; publishRevocation: PublishRevocation },
  accountId: string,
  selector: keys.KeySelector,
): Promise<Key> {
  const { database, publishRevocation } = dependencies;
  const found = await keys.findKey(database, accountId, selector);
  if (!found) throw keyNotFound();
  await keys.revokeKey(database, found.key.id);
  publishRevocation({ accountId, credentialId: found.key.id });
  const revoked = await keys.findKey(database, accountId, selector);
  if (!revoked) throw keyNotFound();
  return revoked.key;
}
