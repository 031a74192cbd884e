import type { Clock } from "@nutrition/core/clock";
import type { Secret } from "@nutrition/core/secret";
import { parseCookie, stringifySetCookie } from "cookie";
import type { Request, Response } from "express";
import { EncryptJWT, jwtDecrypt } from "jose";
import type { JWTPayload } from "jose";

/** Maximum size of a cookie's value in bytes; browsers allow 4,096 with its name and attributes. */
const CHUNK_BYTES = 3_600;
const CHUNKS_MAX = 3;

export interface SealedCookiesOptions {
  /** The first seals, all open. */
  keys: readonly Secret[];
  /** Whether the pages use https; cookies are then bound to exactly this host. */
  isHttps: boolean;
  clock: Clock;
}

/**
 * Encrypted cookies that only this service can read and write (JWE, A256GCM). Each value is bound
 * to one purpose and cannot be read for another. Scripts cannot access them.
 */
export class SealedCookies {
  readonly #options: SealedCookiesOptions;
  readonly #keys: readonly Uint8Array[];

  constructor(options: SealedCookiesOptions) {
    this.#options = options;
    this.#keys = options.keys.map((key) => Buffer.from(key.reveal(), "base64url"));
  }

  /** Reads a value stored by `write`; undefined when there is no intact, unexpired one. */
  async read(request: Request, purpose: string): Promise<JWTPayload | undefined> {
    const cookies = parseCookie(request.headers.cookie ?? "");
    const chunks = this.#chunkNames(purpose).map((name) => cookies[name] ?? "");
    const sealed = chunks.join("");
    return sealed === "" ? undefined : this.open(sealed, purpose);
  }

  /** Stores `value` in the browser for `ttlSeconds`. */
  async write(
    response: Response,
    purpose: string,
    { value, ttlSeconds }: { value: JWTPayload; ttlSeconds: number },
  ): Promise<void> {
    const sealed = await this.seal(value, purpose, ttlSeconds);
    if (sealed.length > CHUNK_BYTES * CHUNKS_MAX) {
      throw new Error(`The cookie for "${purpose}" is too large: ${sealed.length} bytes.`);
    }
    for (const [index, name] of this.#chunkNames(purpose).entries()) {
      const chunk = sealed.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      this.#set(response, name, chunk, chunk === "" ? 0 : ttlSeconds);
    }
  }

  /** Deletes the value from the browser. */
  clear(response: Response, purpose: string): void {
    for (const name of this.#chunkNames(purpose)) this.#set(response, name, "", 0);
  }

  /** Encrypts a value for `ttlSeconds`; `open` decrypts it. */
  async seal(value: JWTPayload, purpose: string, ttlSeconds: number): Promise<string> {
    const nowSeconds = Math.floor(this.#options.clock.now().getTime() / 1_000);
    return new EncryptJWT(value)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setAudience(purpose)
      .setExpirationTime(nowSeconds + ttlSeconds)
      .encrypt(this.#keys[0]!);
  }

  /** Decrypts a value sealed for the same purpose; undefined if that fails. */
  async open(sealed: string, purpose: string): Promise<JWTPayload | undefined> {
    for (const key of this.#keys) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          audience: purpose,
          currentDate: this.#options.clock.now(),
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        return payload;
      } catch {
        // An older key may have sealed it; a value that no key opens is ignored.
      }
    }
    return undefined;
  }

  #chunkNames(purpose: string): string[] {
    const prefix = this.#options.isHttps ? "__Host-" : "";
    return Array.from(
      { length: CHUNKS_MAX },
      (_, index) => `${prefix}nutrition-${purpose}.${index}`,
    );
  }

  #set(response: Response, name: string, value: string, maxAge: number): void {
    response.append(
      "Set-Cookie",
      stringifySetCookie({
        name,
        value,
        maxAge,
        path: "/",
        httpOnly: true,
        sameSite: "lax",
        secure: this.#options.isHttps,
      }),
    );
  }
}
