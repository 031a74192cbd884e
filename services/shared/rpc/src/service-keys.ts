import { importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";

import { ALGORITHM, invalidToken } from "./token-format.ts";

/** A public key as configured; without `service` it belongs to the service that `kid` names. */
export interface TrustedKey extends JWK {
  service?: string;
}

/** A public key of a service. */
interface ServiceKey {
  /** Name of the service that signs with it. */
  readonly service: string;
  imported(): Promise<CryptoKey | Uint8Array>;
}

/** The keys that services sign with. A service has several while its key is being replaced. */
export class ServiceKeys {
  readonly #keys = new Map<string, ServiceKey>();

  /** Throws when two keys have the same `kid`, because their owner would be ambiguous. */
  constructor(jwks: readonly TrustedKey[]) {
    for (const jwk of jwks) {
      const { kid = "", service = kid } = jwk;
      if (kid === "") throw new Error("A trusted key has no kid.");
      if (this.#keys.has(kid)) throw new Error(`Two trusted keys have the kid ${kid}.`);
      let key: Promise<CryptoKey | Uint8Array> | undefined;
      this.#keys.set(kid, { service, imported: () => (key ??= importJWK(jwk, ALGORITHM)) });
    }
  }

  /** Throws the failure `unauthenticated` for an unknown key. */
  find(kid: string | undefined): ServiceKey {
    const key = this.#keys.get(kid ?? "");
    if (!key) throw invalidToken("Its signer is unknown.");
    return key;
  }
}
