import type { WireUser } from "./user-message.ts";

/** A call as it arrived on either transport. Its user has not been verified. */
export interface IncomingCall {
  readonly method: string;
  readonly request: Uint8Array;
  /** Name of the calling service, proved by its token. */
  readonly caller: string;
  /** The user that the caller asserts. */
  readonly user: WireUser | undefined;
  /** The user that the caller passes on; empty when there is none. */
  readonly userAssertion: string;
  /** An assertion for the callee to pass on; empty when it makes no calls for the user. */
  readonly onwardAssertion: string;
  /** W3C trace context, possibly malformed. */
  readonly traceparent: string;
  readonly deadline: CallDeadline;
}

/** When a call must end, and whether its caller still waits. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  remainingMs(): number;
}
