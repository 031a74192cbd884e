import { activeTraceparent } from "@nutrition/telemetry/tracing/tracer";

import { forwardingOf } from "./access.ts";
import type { IdentityIssuer } from "./identity.ts";
import type { CallOptions } from "./service-definition.ts";
import type { TlsFiles } from "./tls-files.ts";
import type { WireUser } from "./user-message.ts";
import { userFields } from "./user-message.ts";

/** How to reach a service. */
export interface TransportOptions {
  /**
   * Address of the service: `host:port`, several of them separated by commas, or a name that
   * resolves to several instances, such as `dns:///journal:4700`.
   */
  address: string;
  issuer: IdentityIssuer;
  /** Name of the called service, for methods that every service offers. */
  service?: string;
  /** Encrypts, and presents this service's certificate; plain text if absent. */
  tls?: TlsFiles | undefined;
}

/** A call as sent over the wire; empty strings stand for absent values. */
export interface OutgoingCall {
  method: string;
  request: Uint8Array;
  timeoutMs: number;
  user: WireUser | undefined;
  userAssertion: string;
  onwardAssertion: string;
  traceparent: string;
}

/** The user and trace context of the call. */
export function callMetadata(options: CallOptions) {
  return {
    user: options.user && userFields(options.user),
    userAssertion: forwardedAssertion(options),
    traceparent: activeTraceparent() ?? "",
  };
}

/** An assertion for the callee to pass on; undefined for methods that need none. */
export function onwardAssertion(
  method: string,
  { user }: CallOptions,
  { issuer }: TransportOptions,
): Promise<string> | undefined {
  const forwarding = user && forwardingOf(method);
  return forwarding && issuer.userAssertion(user, forwarding);
}

function forwardedAssertion({ onBehalfOf }: CallOptions): string {
  if (!onBehalfOf?.user) return "";
  // Otherwise the call would be made without a user.
  if (!onBehalfOf.userAssertion) throw new Error("The call had no assertion to pass on.");
  return onBehalfOf.userAssertion;
}
