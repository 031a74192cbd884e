import type { UserIdentity } from "./user-identity.ts";

/** Whom an operation is for, and how long they wait for it, however the request arrived. */
export interface RequestContext {
  /** Undefined for background work and operators. */
  readonly user: UserIdentity | undefined;
  /**
   * Signed proof of `user` for calls that the operation makes on their behalf. Clients of other services
   * pass it on; nobody else reads it. Only methods that make such calls get one.
   */
  readonly userAssertion: string | undefined;
  /** Aborts at the deadline, or when the caller cancels. */
  readonly signal: AbortSignal;
  /** Time until the deadline in milliseconds; 0 or less when it has passed. */
  remainingMs(): number;
}
