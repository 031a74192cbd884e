import type { Request, Response } from "express";
import { z } from "zod";

import type { SealedCookies } from "./sealed-cookies.ts";
import type { Person } from "../clients/person.ts";

const PURPOSE = "draft";
const SECONDS = 900;

const draftShape = z.object({
  accountId: z.string(),
  form: z.string(),
  fields: z.record(z.string(), z.string()),
});

/**
 * Keeps a form in an encrypted cookie while the person signs in again: only the latest form, and only for the
 * same account.
 */
export class FormDrafts {
  readonly #cookies: SealedCookies;

  constructor(cookies: SealedCookies) {
    this.#cookies = cookies;
  }

  /** Stores the fields of the form `form`. Together they must fit into a cookie. */
  async save(
    response: Response,
    { user: { accountId } }: Person,
    draft: { form: string; fields: Readonly<Record<string, string>> },
  ): Promise<void> {
    const value = { accountId, ...draft };
    await this.#cookies.write(response, PURPOSE, { value, ttlSeconds: SECONDS });
  }

  /** Returns and deletes the stored fields; undefined when there are none. */
  async take(
    request: Request,
    response: Response,
    { person, form }: { person: Person; form: string },
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const { data } = draftShape.safeParse(await this.#cookies.read(request, PURPOSE));
    if (data?.form !== form || data.accountId !== person.user.accountId) return undefined;
    this.#cookies.clear(response, PURPOSE);
    return data.fields;
  }
}
