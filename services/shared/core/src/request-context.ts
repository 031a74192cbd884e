import type { UserIdentity } from "./user-identity.ts";

/** Who an operation runs for and when it must end, on any transport. */
export interface RequestContext {
  /** Undefined for background work and operators. */
  readonly user: UserIdentity | undefined;
  /**
   * Signed proof of `user` for calls that the operation makes on their behalf. Only clients of
   * other services use it. Methods that make no such calls do not receive one.
   */
  readonly userAssertion: string | undefined;
  /** Aborts at the deadline, or when the caller cancels. */
  readonly signal: AbortSignal;
  /** Time until the deadline in milliseconds; 0 or less when it has passed. */
  remainingMs(): number;
}
