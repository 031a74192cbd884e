import type {
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { RequestContext } from "@nutrition/core/request-context";

import type { UserIdentity } from "@nutrition/core/user-identity";
import type { CallContext } from "./context.ts";

/** One async function per unary method. A missing method answers `unimplemented`. */
export type Handlers<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]?: Service["method"][Method] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (request: MessageShape<Input>, context: CallContext) => Promise<MessageInitShape<Output>>
    : never;
};

/** The function of one method. */
export type Handler<
  Service extends DescService,
  Method extends keyof Service["method"],
> = NonNullable<Handlers<Service>[Method]>;

/** The client counterpart of `Handlers`. */
export type Client<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]: Service["method"][Method] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (request: MessageInitShape<Input>, options: CallOptions) => Promise<MessageShape<Output>>
    : never;
};

export interface CallOptions {
  /** Timeout in milliseconds. */
  timeoutMs: number;
  /** Cancels the call before its timeout. */
  signal?: AbortSignal;
  /**
   * Called when a call on the batching transport is cancelled after it was sent, with a promise
   * that resolves once the callee has stopped working on it: it has answered, the deadline has
   * passed or the stream broke.
   */
  onAbandoned?: (ended: Promise<void>) => void;
  /** Passes on the user of the call being handled, and never outlives it. */
  user?: UserIdentity;
  /** Passes on the user of a call that is being answered, and never outlives it. */
  onBehalfOf?: RequestContext;
}

/** Sends serialized calls to one service and returns replies. */
export interface Transport {
  /** `method` is the full path. Rejects with the callee's `Failure`. */
  call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  close(): void;
}

/** The full path of a method, such as `/nutrition.limits.v1.LimitsService/Count`. */
export function methodPath(method: { parent: { typeName: string }; name: string }): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Every service serves `nutrition.operations`, so that package names no service. */
const CALLEE = /^\/nutrition\.(?!operations\.)([a-z]+)\.v\d+\./;

/**
 * Name of the service that handles a method (a full path), from its package: `limits` for
 * `/nutrition.limits.v1.LimitsService/Count`. Undefined for methods that every service handles,
 * such as health.
 */
export function calleeOf(method: string): string | undefined {
  return CALLEE.exec(method)?.[1];
}

/** Timeout of the call in milliseconds, bounded by the deadline of the call being handled. */
export function effectiveTimeoutMs(options: CallOptions): number {
  const remainingMs = options.onBehalfOf?.remainingMs() ?? Infinity;
  return Math.max(0, Math.floor(Math.min(options.timeoutMs, remainingMs)));
}
