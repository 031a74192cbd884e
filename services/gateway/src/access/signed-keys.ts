import type { ApiKey } from "@nutrition/core/api-key";
import { parseApiKey } from "@nutrition/core/api-key";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { KeyClaims, KeyVerifier } from "@nutrition/core/key-signing";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { RevokedCredential } from "@nutrition/redis/revoked-credential";
import { LastUseRecorder } from "@nutrition/core/last-use-recorder";
import { repeat } from "@nutrition/service/repeat";

import type { AuthClient } from "../clients/auth-client.ts";
import type { Principal } from "../domain/principal.ts";
import { ChangedKeys } from "./changed-keys.ts";

const READ_PAUSE_MS = 1_000;
const USES_PER_CALL = 500;
/** Clocks differ: `auth` decides about keys that expire sooner. */
const EXPIRY_MARGIN_MS = 60_000;

interface Use {
  /** UUID of the key. */
  readonly id: string;
  readonly clientIp: string;
  readonly atMs: number;
}

export interface SignedKeysOptions {
  auth: Pick<AuthClient, "listChangedKeys" | "recordKeyUses">;
  clock: Clock;
  logger: Logger;
  /** Collects what must be closed with the service. */
  resources: AsyncDisposableStack;
}

/** Undefined without signing secrets: all keys are looked up. */
export function createSignedKeys(
  verifier: KeyVerifier | undefined,
  { auth, clock, logger, resources }: SignedKeysOptions,
): SignedKeys | undefined {
  if (!verifier) return undefined;
  const log = moduleLogger(logger, "keys");
  const changed = new ChangedKeys(auth, clock, log);
  const pace = { name: "changed keys", pauseMs: READ_PAUSE_MS, clock: systemClock, logger };
  resources.use(repeat(() => changed.read(), pace));
  const write = (uses: readonly Use[]) => {
    const nowMs = clock.monotonicMs();
    return auth.recordKeyUses(
      uses.map(({ id: keyId, clientIp, atMs }) => {
        return { keyId, clientIp, ageMs: Math.round(nowMs - atMs) };
      }),
    );
  };
  const uses = new LastUseRecorder({ write, batchMax: USES_PER_CALL, logger: log });
  resources.use(uses);
  return new SignedKeys({ verifier, changed, uses, clock });
}

interface Parts {
  verifier: KeyVerifier;
  changed: ChangedKeys;
  uses: Pick<LastUseRecorder<Use>, "record">;
  clock: Clock;
}

/** Verifies signed keys without asking `auth`, and reports their uses. */
export class SignedKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The owner of a key, at most 4 s old. Undefined if `auth` must be asked: the key's claims are not verified,
   * it has changed or expires soon, or the changed keys are not known.
   */
  verify(key: ApiKey, clientIp: string): Principal | undefined {
    const { verifier, changed, uses, clock } = this.#parts;
    const claims = verifier.verify(key);
    if (!claims) return undefined;
    const { keyId, accountId, scopes } = claims;
    if (this.#expiresSoon(claims) || !changed.isUnchanged(keyId, accountId)) return undefined;
    uses.record({ id: keyId, clientIp, atMs: clock.monotonicMs() });
    const user = { accountId, credentialKind: "api_key", credentialId: keyId, scopes } as const;
    return { user, hasPremiumAccess: undefined };
  }

  /** Looks a key up from now on, by its text. */
  forget(text: string): void {
    const key = parseApiKey(text.trim());
    const claims = key && this.#parts.verifier.verify(key);
    if (claims) this.drop({ accountId: claims.accountId, credentialId: claims.keyId });
  }

  /** Looks a revoked key up from now on, or for a while all keys of an account. */
  drop(revoked: RevokedCredential): void {
    this.#parts.changed.add(revoked);
  }

  #expiresSoon({ expiresAt }: KeyClaims): boolean {
    return (
      expiresAt !== null &&
      expiresAt.getTime() - this.#parts.clock.now().getTime() < EXPIRY_MARGIN_MS
    );
  }
}
