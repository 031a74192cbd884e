import { LRUCache } from "lru-cache";

import type {
  AuthorizationRedirect,
  AuthorizationRefusal,
} from "../../identity-provider/identity-provider.ts";

/** Latest decisions of this instance; a code in an address works only once, and only for minutes. */
const DECISIONS_MAX = 1_000;

export interface Decision {
  readonly outcome: "allowed" | "denied";
  readonly answer: AuthorizationRedirect | AuthorizationRefusal;
}

/**
 * Decides each request once. The identity provider accepts only one decision, and the second of a double
 * submit has the cookie from before the first, even if it arrives when the first has been answered. At another
 * instance, the second has no effect (`allow`).
 */
export class Decisions {
  readonly #latest = new LRUCache<string, Promise<Decision>>({ max: DECISIONS_MAX });

  /**
   * The first decision of the person on the request, or else that of `decide`. A decision that failed or was
   * refused can be repeated.
   */
  once(
    { subject, id }: { subject: string; id: string },
    decide: () => Promise<Decision>,
  ): Promise<Decision> {
    const name = `${subject} ${id}`;
    const latest = this.#latest.get(name);
    if (latest) return latest;
    const started = decide();
    this.#latest.set(name, started);
    const forget = () => void this.#latest.delete(name);
    started.then(({ answer }) => {
      if (answer.kind !== "redirect") forget();
    }, forget);
    return started;
  }
}
