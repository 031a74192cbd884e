import type { Clock } from "@nutrition/core/clock";
import { z } from "zod";

import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseApi } from "./supabase-api.ts";

/** Time for which an answer is used. */
const AGE_MAX_MS = 60_000;

const settings = z.object({ mailer_autoconfirm: z.boolean() });

/** Supabase's settings that anybody may read, cached for a minute. */
export class PublicSettings {
  readonly #api: SupabaseApi;
  readonly #clock: Clock;
  #known: { readonly confirmsByMail: boolean; readonly atMs: number } | undefined;

  constructor(api: SupabaseApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** See `IdentityProvider.confirmsByMail`. */
  async confirmsByMail(): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#known && nowMs - this.#known.atMs < AGE_MAX_MS) return this.#known.confirmsByMail;
    const { body, status } = await this.#api.call("GET", "/settings");
    const { data } = settings.safeParse(body);
    if (!data) throw providerUnavailable(new Error(`/settings answered ${status}.`));
    this.#known = { confirmsByMail: !data.mailer_autoconfirm, atMs: nowMs };
    return this.#known.confirmsByMail;
  }
}
