import type { Request, Response } from "express";
import { z } from "zod";

import type { SealedCookies } from "../../sessions/sealed-cookies.ts";

const PURPOSE = "consent";
/** Longer than the identity provider keeps an authorization. */
const SECONDS = 900;
/** Authorizations remembered at once, in other tabs; more would not fit beside the session. */
const KEPT = 2;

const common = { id: z.string(), subject: z.string() };

const knownShape = z.discriminatedUnion("state", [
  /** The person has been asked and has not decided. */
  z.object({
    ...common,
    state: z.literal("asked"),
    clientId: z.string(),
    clientName: z.string(),
    redirectUri: z.string(),
  }),
  /** Nothing is left to be decided; the browser goes back to the client. */
  z.object({
    ...common,
    state: z.literal("settled"),
    outcome: z.enum(["allowed", "denied", "device", "restart", "moved"]),
    redirectUrl: z.string(),
  }),
]);

/** What is known of one authorization and one person, named by the subject at the provider. */
export type KnownAuthorization = z.infer<typeof knownShape>;
export type AskedAuthorization = Extract<KnownAuthorization, { state: "asked" }>;

const memoryShape = z.object({
  /** The authorization that brought somebody here who has to sign in first. */
  pendingId: z.string().optional(),
  known: z.array(knownShape),
});

type Memory = z.infer<typeof memoryShape>;

/**
 * What this browser was asked to consent to, in a sealed cookie. The identity provider answers about
 * an authorization only once, so the answer is kept for reloads and the Back button; the id waits
 * here, and in no address, while the person signs in.
 */
export class ConsentMemory {
  readonly #cookies: SealedCookies;

  constructor(cookies: SealedCookies) {
    this.#cookies = cookies;
  }

  /** Keeps the id until the person has signed in. */
  async setPending(request: Request, response: Response, id: string): Promise<void> {
    await this.#write(response, { ...(await this.#read(request)), pendingId: id });
  }

  async findPending(request: Request): Promise<string | undefined> {
    return (await this.#read(request)).pendingId;
  }

  async find(
    request: Request,
    { id, subject }: { id: string; subject: string },
  ): Promise<KnownAuthorization | undefined> {
    const { known } = await this.#read(request);
    return known.find((one) => one.id === id && one.subject === subject);
  }

  /** Keeps what is known now, in the place of what was known before. */
  async put(request: Request, response: Response, latest: KnownAuthorization): Promise<void> {
    const { known } = await this.#read(request);
    const others = known.filter(({ id }) => id !== latest.id).slice(0, KEPT - 1);
    // Who has to sign in again comes back to the one that was looked at last.
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
