import type { KeyObject } from "node:crypto";
import { createHmac, createSecretKey, randomFillSync, timingSafeEqual } from "node:crypto";

import type { ApiKey } from "./api-key.ts";
import { composeApiKey, newPublicId } from "./api-key.ts";
import { decodeBase62, encodeBase62 } from "./base62.ts";
import { uuidAt, uuidBytes } from "./ids.ts";

/** Highest version of a signing secret. */
export const SIGNING_VERSION_MAX = 255;

/** What the text of a signed key says about it. */
export interface KeyClaims {
  /** UUID of the key. */
  keyId: string;
  /** UUID of its account. */
  accountId: string;
  /** `service.read`, or this and `nutrition.write`. */
  scopes: readonly string[];
  /** In whole seconds, rounded down; null without an end. */
  expiresAt: Date | null;
}

/** A newly signed key. */
export interface SignedKey extends ApiKey {
  signingVersion: number;
}

// What is authenticated: a label, the public id, and the bytes of the secret before the MAC.
const LABEL = "api-key.v1";
const ID_AT = LABEL.length;
const VERSION_AT = ID_AT + 16;
const FLAGS_AT = VERSION_AT + 1;
const KEY_AT = FLAGS_AT + 1;
const ACCOUNT_AT = KEY_AT + 16;
const EXPIRY_AT = ACCOUNT_AT + 16;
const RANDOM_AT = EXPIRY_AT + 4;
const MAC_AT = RANDOM_AT + 16;
const END = MAC_AT + 16;
const SECRET_LENGTH = ((END - VERSION_AT) / 5) * 7;

const MAY_WRITE = 1;
const EXPIRY_MAX = 0xffff_ffff;
const READ: readonly string[] = ["service.read"];
const READ_AND_WRITE: readonly string[] = ["service.read", "nutrition.write"];

/** Signs the claims of new keys into their texts. */
export class KeySigner {
  readonly #secret: KeyObject;
  readonly #version: number;

  /** Throws a `RangeError` if `secrets` has no secret of this version. */
  constructor(secrets: ReadonlyMap<number, Buffer>, version: number) {
    const secret = secrets.get(version);
    if (!secret) throw new RangeError(`No signing secret has version ${version}.`);
    this.#secret = createSecretKey(secret);
    this.#version = version;
  }

  /**
   * Generates a key: `service_live_`, 16 base62 characters, `_`, 98 base62 characters, and 6 for the CRC32
   * of everything before. The 98 encode 70 bytes: version of the signing secret (1), flags (1; bit 0: may
   * write), key (16), account (16), expiry in seconds since 1970 (4; 0: none), random (16), MAC (16).
   */
  generate({ keyId, accountId, scopes, expiresAt }: KeyClaims): SignedKey {
    const publicId = newPublicId();
    const bytes = Buffer.alloc(END);
    bytes.write(LABEL + publicId, 0, "latin1");
    bytes[VERSION_AT] = this.#version;
    bytes[FLAGS_AT] = scopes.includes("nutrition.write") ? MAY_WRITE : 0;
    bytes.set(uuidBytes(keyId), KEY_AT);
    bytes.set(uuidBytes(accountId), ACCOUNT_AT);
    bytes.writeUInt32BE(expiresAt ? secondsOf(expiresAt) : 0, EXPIRY_AT);
    randomFillSync(bytes, RANDOM_AT, MAC_AT - RANDOM_AT);
    macOf(bytes, this.#secret).copy(bytes, MAC_AT, 0, END - MAC_AT);
    const key = composeApiKey(publicId, encodeBase62(bytes.subarray(VERSION_AT)));
    return { ...key, signingVersion: this.#version };
  }
}

/** Verifies signed keys with the secrets of all versions in use. */
export class KeyVerifier {
  readonly #secrets: ReadonlyMap<number, KeyObject>;

  constructor(secrets: ReadonlyMap<number, Buffer>) {
    // Key objects are prepared once: an HMAC that creates its key from bytes costs four times as much.
    this.#secrets = new Map(
      [...secrets].map(([version, bytes]) => [version, createSecretKey(bytes)]),
    );
  }

  /**
   * The claims of a key. Undefined when only `auth` can tell: for a key without claims, of a newer version of
   * this software, or that was not signed with these secrets. It need not be forged: `auth` may have others.
   */
  verify({ publicId, secret }: ApiKey): KeyClaims | undefined {
    if (secret.length !== SECRET_LENGTH) return undefined;
    const bytes = Buffer.allocUnsafe(END);
    bytes.write(LABEL + publicId, 0, "latin1");
    if (!decodeBase62(secret, bytes, VERSION_AT)) return undefined;
    const signingSecret = this.#secrets.get(bytes[VERSION_AT] as number);
    if (!signingSecret) return undefined;
    const expected = macOf(bytes, signingSecret).subarray(0, END - MAC_AT);
    if (!timingSafeEqual(expected, bytes.subarray(MAC_AT))) return undefined;
    const flags = bytes[FLAGS_AT] as number;
    return flags > MAY_WRITE ? undefined : claimsOf(bytes, flags === MAY_WRITE);
  }
}

function macOf(bytes: Buffer, secret: KeyObject): Buffer {
  return createHmac("sha256", secret).update(bytes.subarray(0, MAC_AT)).digest();
}

function claimsOf(bytes: Buffer, mayWrite: boolean): KeyClaims {
  const seconds = bytes.readUInt32BE(EXPIRY_AT);
  return {
    keyId: uuidAt(bytes, KEY_AT),
    accountId: uuidAt(bytes, ACCOUNT_AT),
    scopes: mayWrite ? READ_AND_WRITE : READ,
    expiresAt: seconds === 0 ? null : new Date(seconds * 1_000),
  };
}

/** An expiry after 2106 does not fit: from the last second that does, `auth` is asked. */
function secondsOf(expiresAt: Date): number {
  return Math.min(Math.max(Math.floor(expiresAt.getTime() / 1_000), 1), EXPIRY_MAX);
}
