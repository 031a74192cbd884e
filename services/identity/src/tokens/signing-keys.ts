import { randomUUID } from "node:crypto";

import type { JSONWebKeySet, JWK, JWTPayload } from "jose";
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";

import type { SigningKeyRecord } from "../records/records.ts";

export const ALGORITHM = "ES256";

/** The keys for signing tokens. Only the first one signs; all are published. */
export class SigningKeys {
  readonly #records: SigningKeyRecord[];

  private constructor(records: SigningKeyRecord[]) {
    this.#records = records;
  }

  /** Uses the given keys, or creates the first one. */
  static async create(records: readonly SigningKeyRecord[] = []): Promise<SigningKeys> {
    return new SigningKeys(records.length > 0 ? [...records] : [await newKey()]);
  }

  get records(): readonly SigningKeyRecord[] {
    return this.#records;
  }

  /** The public halves. */
  get published(): JSONWebKeySet {
    return {
      keys: this.#records.map(({ kid, jwk: { kty, crv, x, y } }) => {
        const point = { kty, crv, x, y } as JWK;
        return { ...point, kid, alg: ALGORITHM, use: "sig", key_ops: ["verify"] };
      }),
    };
  }

  /** Finds a token's key among the published ones. */
  get resolver(): ReturnType<typeof createLocalJWKSet> {
    return createLocalJWKSet(this.published);
  }

  /** Signs a token with these claims. */
  async sign(claims: JWTPayload): Promise<string> {
    const [signing] = this.#records;
    if (!signing) throw new Error("There is no signing key.");
    const header = { alg: ALGORITHM, kid: signing.kid, typ: "JWT" };
    return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(signing.jwk));
  }

  /** Publishes a further key, which does not sign yet. */
  async publishStandby(): Promise<void> {
    this.#records.push({ ...(await newKey()), isStandby: true });
  }

  /** Makes the standby key sign, or a new one if there is none; older keys stay published. */
  async rotate(): Promise<void> {
    const index = this.#records.findIndex(({ isStandby }) => isStandby);
    const [standby] = index < 0 ? [] : this.#records.splice(index, 1);
    const { kid, jwk } = standby ?? (await newKey());
    this.#records.unshift({ kid, jwk });
  }

  /** Publishes only the signing key, which invalidates all tokens signed by others. */
  withdrawOthers(): void {
    this.#records.length = 1;
  }
}

async function newKey(): Promise<SigningKeyRecord> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { kid: randomUUID(), jwk: { ...(await exportJWK(privateKey)), alg: ALGORITHM } };
}
