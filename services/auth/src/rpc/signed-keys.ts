import { bufferView } from "@nutrition/core/buffer-view";
import { Failure } from "@nutrition/core/failure";
import { uuidAt } from "@nutrition/core/ids";
import type { AuthService, KeyUse } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { listChangedKeys } from "../store/changed-key-store.ts";
import type { Dependencies } from "./dependencies.ts";

const KEYS_PER_PAGE = 10_000;
const USES_MAX = 1_000;
const AGE_MAX_MS = 60_000;
const KEY_ID_BYTES = 16;

/** Handles what gateways need to verify signed keys themselves. */
export function signedKeyHandlers({ database, peppers, clock, keyUses }: Dependencies) {
  const record = ({ keyId, ageMs, clientIp }: KeyUse) => {
    if (keyId.length !== KEY_ID_BYTES) return;
    keyUses.record({
      id: uuidAt(bufferView(keyId), 0),
      usedAt: new Date(clock.now().getTime() - Math.min(ageMs, AGE_MAX_MS)),
      ipHash: clientIp === "" ? null : peppers.hashAddress(clientIp),
    });
  };
  return {
    listChangedKeys({ cursor }) {
      return listChangedKeys(database, cursor, KEYS_PER_PAGE);
    },
    async recordKeyUses({ uses }) {
      if (uses.length > USES_MAX) throw tooManyUses();
      for (const use of uses) record(use);
      return {};
    },
  } satisfies Handlers<typeof AuthService>;
}

function tooManyUses(): Failure {
  const message = `At most ${USES_MAX} uses can be recorded at once.`;
  return new Failure("invalid_argument", "TOO_MANY_USES", message);
}
