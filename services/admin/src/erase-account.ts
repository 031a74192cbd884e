import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Failure, toFailure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";

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
}

/**
 * Erases an account everywhere: its journal, which then refuses its writes; the account with its
 * keys and grants; and, once no gateway can still count its requests, its ids in the usage. Every
 * step can be repeated. After a failure, which names the id, run the whole erasure again.
 */
export async function eraseAccount(
  { auth, journal, limits }: Pick<Services, "auth" | "journal" | "limits">,
  idOrEmail: string,
  clock: Clock = systemClock,
): Promise<Erasure> {
  const id = isUuid(idOrEmail) ? idOrEmail.toLowerCase() : (await getAccount(auth, idOrEmail)).id;
  const request = { accountId: id };
  try {
    await journal.eraseAccount(request, LONG_CALL);
    const { existed } = await auth.eraseAccount(request, CALL);
    await clock.sleep(CREDENTIALS_FADE_MS);
    await limits.unlinkAccount(request, LONG_CALL);
    return { id, existed };
  } catch (error) {
    const { kind, message } = toFailure(error);
    const next = `Then run again: accounts erase ${id} --yes`;
    const text = `The account ${id} is not yet erased everywhere: ${message} ${next}`;
    throw new Failure(kind, "ERASURE_INCOMPLETE", text, { cause: error });
  }
}
