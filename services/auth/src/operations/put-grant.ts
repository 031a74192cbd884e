import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Database } from "@nutrition/postgres/database";

import type { Grant } from "../domain/grant.ts";
import type { NewGrant } from "../store/grant-store.ts";
import { upsertGrant } from "../store/grant-store.ts";

/**
 * Records a consent. A consent that follows an earlier one starts with the next second and is
 * answered then (at most a second later): tokens tell only whole seconds, and those issued before
 * it must not be revived, while those issued after the answer must be good.
 */
export async function putGrant(
  { database, clock }: { database: Database; clock: Clock },
  consent: Omit<NewGrant, "id">,
): Promise<Grant> {
  const { grant, startsInMs } = await upsertGrant(database, { ...consent, id: newId() });
  if (startsInMs > 0) await clock.sleep(startsInMs);
  return grant;
}
