import type { Logger } from "@nutrition/core/logger";
import { printable } from "@nutrition/core/printable";
import type { Database } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import { displayableText } from "../domain/displayable-text.ts";
import type { KeyCredential } from "../store/credential-store.ts";
import { recordLeakTx, revokeKey } from "../store/key-store.ts";

const LOCATION_LENGTH_MAX = 500;
const KEY = /service_live_\w*/gi;

/** The reported place may contain the key, which must not end up in the log or the database. */
function withoutKeys(text: string): string {
  return text.replaceAll(KEY, "service_live_…");
}

/**
 * Revokes a key that was found in public and stores where it was found. Returns whether the key was
 * live.
 */
export async function reportLeakedKey(
  dependencies: { database: Database; logger: Logger; publishRevocation: PublishRevocation },
  key: Pick<KeyCredential, "id" | "accountId" | "state">,
  foundAt: string,
): Promise<boolean> {
  const { database, logger, publishRevocation } = dependencies;
  // A stranger chose it for people who look at keys and logs.
  const location = displayableText(printable(withoutKeys(foundAt)), LOCATION_LENGTH_MAX);
  const { isRevokedNow, isFirstReport } = await database.transaction(async (tx) => ({
    isRevokedNow: await revokeKey(tx, key.id),
    isFirstReport: await recordLeakTx(tx, key.id, location),
  }));
  publishRevocation({ accountId: key.accountId, credentialId: key.id });
  const facts = { keyId: key.id, accountId: key.accountId, foundAt: location, isRevokedNow };
  if (isFirstReport) logger.warn(facts, "key reported as leaked");
  return isRevokedNow && key.state === "active";
}
