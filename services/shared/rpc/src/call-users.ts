import { Failure } from "@nutrition/core/failure";
import type { UserIdentity } from "@nutrition/core/user-identity";

import { assertMayAssert, assertMayForward } from "./access.ts";
import type { IdentityVerifier } from "./identity.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { readUser } from "./user-message.ts";

/** Decides whether to trust the user that a call names. */
export class CallUsers {
  readonly #identity: IdentityVerifier;

  constructor(identity: IdentityVerifier) {
    this.#identity = identity;
  }

  /**
   * The user of a call, synchronously unless a signature has to be verified. Fails with
   * `permission_denied` or `unauthenticated` when the caller may not name the user.
   */
  of(call: IncomingCall): UserIdentity | undefined | Promise<UserIdentity> {
    const { caller, user, userAssertion } = call;
    if (user === undefined) {
      return userAssertion === "" ? undefined : this.#forwarded(caller, userAssertion);
    }
    assertMayAssert(caller);
    if (userAssertion !== "") {
      throw new Failure("invalid_argument", "INVALID_USER", "The call names its user twice.");
    }
    return readUser(user);
  }

  #forwarded(caller: string, userAssertion: string): Promise<UserIdentity> {
    assertMayForward(caller, this.#identity.service);
    return this.#identity.verifyUserAssertion(userAssertion, caller);
  }
}
