import type {
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { RequestContext } from "@nutrition/core/request-context";

import type { UserIdentity } from "@nutrition/core/user-identity";
import type { CallContext } from "./context.ts";

/** One async function per unary method. A method left out answers `unimplemented`. */
export type Handlers<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]?: Service["method"][Method] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (request: MessageShape<Input>, context: CallContext) => Promise<MessageInitShape<Output>>
    : never;
};

/** Mirrors `Handlers` on the calling side. */
export type Client<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]: Service["method"][Method] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (request: MessageInitShape<Input>, options: CallOptions) => Promise<MessageShape<Output>>
    : never;
};

export interface CallOptions {
  /** Time until the caller gives up, in milliseconds. */
  timeoutMs: number;
  /** Gives up earlier. */
  signal?: AbortSignal;
  /**
   * Called when a call on the carrier is given up after it was sent, with a promise that resolves once
   * the callee works on it no more: it has answered, the deadline has passed or the stream broke.
   */
  onAbandoned?: (ended: Promise<void>) => void;
  /** The user the call acts for; only services that may assert users can set it. */
  user?: UserIdentity;
  /** Passes on the user of a call that is being answered, and never outlives it. */
  onBehalfOf?: RequestContext;
}

/** Moves serialised calls to one service and back. */
export interface Transport {
  /** `method` is the full path. Rejects with the `Failure` that the callee answered. */
  call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  close(): void;
}

/** The path of a method on the wire, such as `/nutrition.limits.v1.LimitsService/Count`. */
export function methodPath(method: { parent: { typeName: string }; name: string }): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Every service answers `nutrition.operations`, so its package names none. */
const CALLEE = /^\/nutrition\.(?!operations\.)([a-z]+)\.v\d+\./;

/**
 * Name of the service that answers a method (a full path), which the package says: `limits` for
 * `/nutrition.limits.v1.LimitsService/Count`. Undefined for what every service answers, such as health.
 */
export function calleeOf(method: string): string | undefined {
  return CALLEE.exec(method)?.[1];
}

/** Time the call may take in milliseconds, bounded by the call that it is part of. */
export function effectiveTimeoutMs(options: CallOptions): number {
  const remainingMs = options.onBehalfOf?.remainingMs() ?? Infinity;
  return Math.max(0, Math.floor(Math.min(options.timeoutMs, remainingMs)));
}
