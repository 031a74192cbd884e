import type { Clock } from "@nutrition/core/clock";
import type { KeySigner } from "@nutrition/core/key-signing";
import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";
import type { LastUseRecorder } from "@nutrition/core/last-use-recorder";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Peppers } from "../domain/pepper.ts";
import type { KeyReader } from "../store/key-reader.ts";
import type { LastUse } from "../store/last-use-store.ts";

/** Dependencies of the handlers. */
export interface Dependencies {
  database: Database;
  keyReader: KeyReader;
  peppers: Peppers;
  /** Signs new keys; without it, they can only be looked up. */
  keySigner: KeySigner | undefined;
  clock: Clock;
  logger: Logger;
  keyUses: LastUseRecorder<LastUse>;
  grantUses: LastUseRecorder<LastUse>;
  publishRevocation: PublishRevocation;
}
