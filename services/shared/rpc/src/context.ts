import type { RequestContext } from "@nutrition/core/request-context";

/** Context of a handled call. Identities have been verified. */
export interface CallContext extends RequestContext {
  /** Name of the calling service. */
  readonly caller: string;
  /** W3C trace context of the caller's span. */
  readonly traceparent: string | undefined;
}
