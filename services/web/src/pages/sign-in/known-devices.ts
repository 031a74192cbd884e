import { createHash } from "node:crypto";

import type { Request, Response } from "express";
import { z } from "zod";

import type { SealedCookies } from "../../sessions/sealed-cookies.ts";

const PURPOSE = "known-device";
/** Maximum lifetime that browsers allow for a cookie. */
const SECONDS = 400 * 86_400;
const ADDRESSES_MAX = 5;

const shape = z.object({ addresses: z.array(z.string()).max(ADDRESSES_MAX) });

/**
 * E-mail addresses that have signed in from this browser. Attempts by strangers elsewhere do not
 * slow it down.
 */
export class KnownDevices {
  readonly #cookies: SealedCookies;

  constructor(cookies: SealedCookies) {
    this.#cookies = cookies;
  }

  async has(request: Request, email: string): Promise<boolean> {
    return (await this.#read(request)).includes(digestOf(email));
  }

  /** After a sign-in. */
  async remember(request: Request, response: Response, email: string): Promise<void> {
    const digest = digestOf(email);
    const known = await this.#read(request);
    if (known[0] === digest) return;
    const others = known.filter((one) => one !== digest);
    const addresses = [digest, ...others].slice(0, ADDRESSES_MAX);
    await this.#cookies.write(response, PURPOSE, { value: { addresses }, ttlSeconds: SECONDS });
  }

  async #read(request: Request): Promise<string[]> {
    const { success, data } = shape.safeParse(await this.#cookies.read(request, PURPOSE));
    return success ? data.addresses : [];
  }
}

/** A hash keeps the cookie short, whatever the address. */
function digestOf(email: string): string {
  return createHash("sha256").update(email.toLowerCase()).digest("base64url");
}
