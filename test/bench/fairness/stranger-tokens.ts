import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from "node:crypto";

const LIFETIME_SECONDS = 3_600;

/** Distinct access tokens that the identity provider never issued. */
export class StrangerTokens {
  readonly #issuer: string;
  readonly #keyId: string;
  readonly #privateKey: KeyObject = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  private constructor(issuer: string, keyId: string) {
    this.#issuer = issuer;
    this.#keyId = keyId;
  }

  /** Reads the id of the provider's own key, which strangers may name too. */
  static async of(issuer: string): Promise<StrangerTokens> {
    const response = await fetch(`${issuer}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: { kid: string }[] };
    return new StrangerTokens(issuer, keys[0]?.kid ?? "");
  }

  /** Three meaningless parts. */
  garbage(): string {
    return [36, 300, 64].map((bytes) => randomBytes(bytes).toString("base64url")).join(".");
  }

  /** Well formed, and signed with a key that the provider does not name. */
  unknownKey(): string {
    return this.#signed(randomUUID());
  }

  /** Names the provider's key, so that only its signature tells that it is none of his. */
  forged(): string {
    return this.#signed(this.#keyId);
  }

  #signed(kid: string): string {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.#issuer,
      aud: "authenticated",
      role: "authenticated",
      sub: randomUUID(),
      client_id: randomUUID(),
      iat,
      exp: iat + LIFETIME_SECONDS,
    };
    const parts = [{ alg: "ES256", typ: "JWT", kid }, claims];
    const input = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const key = { key: this.#privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`;
  }
}
