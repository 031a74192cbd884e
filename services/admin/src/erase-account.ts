import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Failure, toFailure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import { PersonOutcome } from "@nutrition/proto/nutrition/web/v1/web_pb";

import { getAccount } from "./accounts.ts";
import { CALL, LONG_CALL } from "./call-options.ts";
import type { Services } from "./services.ts";

/** Time within which every gateway learns that a credential has been revoked. */
const CREDENTIALS_FADE_MS = 5_000;

export interface Erasure {
  /** UUID of the account. */
  id: string;
  /** Whether the account existed. */
  existed: boolean;
  /** Id of the person at the identity provider; null when nobody ever signed in. */
  subject: string | null;
  /** What became of that person. `pending`: the pages delete them when they can. */
  person: "deleted" | "kept" | "pending" | "none";
}

/**
 * Erases an account everywhere: its journal, which then refuses its writes; the account with its
 * keys and grants; once no gateway can still count its requests, its ids in the usage; and the
 * person at the identity provider, which only the pages may ask for. Every step can be repeated.
 * After a failure, which names the id, run the whole erasure again.
 */
export async function eraseAccount(
  services: Pick<Services, "auth" | "journal" | "limits" | "web" | "config">,
  idOrEmail: string,
  clock: Clock = systemClock,
): Promise<Erasure> {
  const { auth, journal, limits } = services;
  const id = isUuid(idOrEmail) ? idOrEmail.toLowerCase() : (await getAccount(auth, idOrEmail)).id;
  const request = { accountId: id };
  try {
    await journal.eraseAccount(request, LONG_CALL);
    const { existed, subject } = await auth.eraseAccount(request, CALL);
    await clock.sleep(CREDENTIALS_FADE_MS);
    await limits.unlinkAccount(request, LONG_CALL);
    if (subject === "") return { id, existed, subject: null, person: "none" };
    return { id, existed, subject, person: await erasePerson(services, id) };
  } catch (error) {
    const { kind, message } = toFailure(error);
    const next = `Then run again: accounts erase ${id} --yes`;
    const text = `The account ${id} is not yet erased everywhere: ${message} ${next}`;
    throw new Failure(kind, "ERASURE_INCOMPLETE", text, { cause: error });
  }
}

/** Asks the pages to delete the person now. If they cannot be reached, they do it later. */
async function erasePerson(
  services: Pick<Services, "web" | "config">,
  accountId: string,
): Promise<Erasure["person"]> {
  if (!services.config.addresses.web) return "pending";
  try {
    const { outcome } = await services.web.finishErasure({ accountId }, LONG_CALL);
    if (outcome === PersonOutcome.DELETED) return "deleted";
    return outcome === PersonOutcome.KEPT ? "kept" : "pending";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return "pending";
  }
}

/** What is left at the identity provider, and what to do about it, in lines. */
export function describeRemains({ existed, person, subject }: Erasure): string[] {
  switch (person) {
    case "deleted":
      return ["The identity provider has deleted the person, too."];
    case "kept":
      return [
        `The identity provider still knows the person, because AUTH_API_KEY of the pages is not a secret key: delete the user ${subject} there.`,
      ];
    case "pending":
      return [
        `The pages delete the person at the identity provider (user ${subject}) as soon as they can: within minutes while they run. If they may not, their log says so.`,
      ];
    case "none":
      return existed
        ? [
            "Nobody had signed in to it. If its person was invited, the identity provider still knows the address: delete the user there.",
          ]
        : [];
  }
}
