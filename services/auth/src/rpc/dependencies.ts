import type { Clock } from "@nutrition/core/clock";
import type { KeySigner } from "@nutrition/core/key-signing";
import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Peppers } from "../domain/pepper.ts";
import type { LastUseRecorder } from "../last-use-recorder.ts";
import type { KeyReader } from "../store/key-reader.ts";

/** Dependencies of the handlers. */
export interface Dependencies {
  database: Database;
  keyReader: KeyReader;
  peppers: Peppers;
  /** Signs new keys; without it, they can only be looked up. */
  keySigner: KeySigner | undefined;
  clock: Clock;
  logger: Logger;
  keyUses: LastUseRecorder;
  grantUses: LastUseRecorder;
  publishRevocation: PublishRevocation;
}
