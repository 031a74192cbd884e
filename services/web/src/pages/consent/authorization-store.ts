import type { Request, Response } from "express";
import { z } from "zod";

import type { SealedCookies } from "../../sessions/sealed-cookies.ts";

const PURPOSE = "consent";
/** Longer than the identity provider keeps an authorization request. */
const SECONDS = 900;
/** Maximum number of stored authorizations, such as from other tabs; more would not fit into the cookies. */
const KEPT = 2;

const common = { id: z.string(), subject: z.string() };

const knownShape = z.discriminatedUnion("state", [
  /** The person was asked and has not decided. */
  z.object({
    ...common,
    state: z.literal("asked"),
    clientId: z.string(),
    clientName: z.string(),
    redirectUri: z.string(),
  }),
  /** Decided; the browser returns to the client. */
  z.object({
    ...common,
    state: z.literal("settled"),
    outcome: z.enum(["allowed", "denied", "device", "several", "restart", "moved"]),
    redirectUrl: z.string(),
  }),
]);

/** State of one authorization for one person, identified by the subject at the provider. */
export type StoredAuthorization = z.infer<typeof knownShape>;
export type PendingAuthorization = Extract<StoredAuthorization, { state: "asked" }>;

const memoryShape = z.object({
  /** The authorization request that is waiting for the person to sign in. */
  pendingId: z.string().optional(),
  known: z.array(knownShape),
});

type Memory = z.infer<typeof memoryShape>;

/**
 * Stores this browser's authorization requests in an encrypted cookie. The identity provider describes each
 * request only once, so the description is kept for reloads and the Back button. While the person signs in,
 * the id is stored here rather than in a URL.
 */
export class AuthorizationStore {
  readonly #cookies: SealedCookies;

  constructor(cookies: SealedCookies) {
    this.#cookies = cookies;
  }

  /** Stores the id until the person has signed in. */
  async setPending(request: Request, response: Response, id: string): Promise<void> {
    await this.#write(response, { ...(await this.#read(request)), pendingId: id });
  }

  async findPending(request: Request): Promise<string | undefined> {
    return (await this.#read(request)).pendingId;
  }

  async find(
    request: Request,
    { id, subject }: { id: string; subject: string },
  ): Promise<StoredAuthorization | undefined> {
    const { known } = await this.#read(request);
    return known.find((one) => one.id === id && one.subject === subject);
  }

  /** Replaces the stored state. */
  async put(request: Request, response: Response, latest: StoredAuthorization): Promise<void> {
    const { known } = await this.#read(request);
    const others = known.filter(({ id }) => id !== latest.id).slice(0, KEPT - 1);
    // After signing in again, the person returns to the latest request.
    await this.#write(response, { pendingId: latest.id, known: [latest, ...others] });
  }

  async #read(request: Request): Promise<Memory> {
    const parsed = memoryShape.safeParse(await this.#cookies.read(request, PURPOSE));
    return parsed.success ? parsed.data : { known: [] };
  }

  async #write(response: Response, memory: Memory): Promise<void> {
    await this.#cookies.write(response, PURPOSE, { value: memory, ttlSeconds: SECONDS });
  }
}
