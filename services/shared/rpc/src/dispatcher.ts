import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Failure, toFailure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { IncomingCalls } from "@nutrition/telemetry/tracing/calls";

import type { Access, MethodAccess } from "./access.ts";
import { assertCallerAllowed, assertUserAllowed } from "./access.ts";
import { CallUsers } from "./call-users.ts";
import type { CallContext } from "./context.ts";
import { decode } from "./decode.ts";
import type { IdentityVerifier } from "./identity.ts";
import type { CallDeadline, IncomingCall } from "./incoming-call.ts";
import { messageEncoder } from "./message-encoder.ts";
import type { MessageEncoder } from "./message-encoder.ts";
import { methodPath } from "./service-definition.ts";
import type { Handlers } from "./service-definition.ts";

/** A service with its handlers and access rules. */
export interface ServiceBinding {
  readonly service: DescService;
  readonly methods: ReadonlyMap<string, BoundMethod>;
}

interface BoundMethod {
  /** Telemetry of its calls. */
  readonly calls: IncomingCalls;
  readonly input: DescMessage;
  readonly encode: MessageEncoder<DescMessage>;
  readonly access: MethodAccess;
  readonly handler: (
    request: MessageShape<DescMessage>,
    context: CallContext,
  ) => Promise<MessageInitShape<DescMessage>>;
}

/** Combines a service's handlers with their access rules. A handler without a rule is a bug. */
export function bind<Service extends DescService>(
  service: Service,
  handlers: Handlers<Service>,
  access: Access<Service>,
): ServiceBinding {
  const methods = new Map<string, BoundMethod>();
  for (const method of Object.values<DescMethod>(service.method)) {
    const name = method.localName as keyof Service["method"];
    const handler = handlers[name] as BoundMethod["handler"] | undefined;
    if (!handler) continue;
    const rule = access[name];
    if (!rule) throw new Error(`${methodPath(method)} has no access rule.`);
    const { input, output } = method;
    const path = methodPath(method);
    const calls = new IncomingCalls(path);
    methods.set(path, { calls, input, encode: messageEncoder(output), handler, access: rule });
  }
  return { service, methods };
}

export interface DispatcherOptions {
  services: readonly ServiceBinding[];
  identity: IdentityVerifier;
  logger: Logger;
  /** Calls handled concurrently before further ones are refused. */
  maxInFlight: number;
}

/** Finds the handler of a call, checks access, and runs it. */
export class Dispatcher {
  readonly #methods = new Map<string, BoundMethod>();
  readonly #users: CallUsers;
  readonly #logger: Logger;
  readonly #maxInFlight: number;
  #inFlight = 0;

  constructor({ services, identity, logger, maxInFlight }: DispatcherOptions) {
    for (const { methods } of services) {
      for (const [path, method] of methods) this.#methods.set(path, method);
    }
    this.#users = new CallUsers(identity);
    this.#logger = moduleLogger(logger, "rpc");
    this.#maxInFlight = maxInFlight;
  }

  /** The serialized reply. Rejects only with a `Failure`; bugs are logged here. */
  dispatch(call: IncomingCall): Promise<Uint8Array> {
    const calls = this.#methods.get(call.method)?.calls ?? UNKNOWN_METHOD;
    return calls.run(call.traceparent, () => this.#answer(call));
  }

  async #answer(call: IncomingCall): Promise<Uint8Array> {
    if (this.#inFlight >= this.#maxInFlight) throw overloaded();
    this.#inFlight += 1;
    const startedAtMs = performance.now();
    const facts = { method: call.method, caller: call.caller };
    try {
      const reply = await this.#run(call);
      this.#logger.debug({ ...facts, duration_ms: since(startedAtMs) }, "call");
      return reply;
    } catch (error) {
      const failure = toFailure(error);
      const { reason } = failure;
      this.#logger.debug({ ...facts, duration_ms: since(startedAtMs), reason }, "call");
      if (failure.kind === "internal") {
        this.#logger.error({ err: failure.cause ?? failure, method: call.method }, "call failed");
      }
      throw failure;
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #run(call: IncomingCall): Promise<Uint8Array> {
    const method = this.#methods.get(call.method);
    if (!method) {
      throw new Failure(
        "unimplemented",
        "NO_SUCH_METHOD",
        "This service does not have the method.",
      );
    }
    const { caller } = call;
    // Checked before the user, which may need the verification of a signature.
    assertCallerAllowed(method.access, caller);
    const asserted = this.#users.of(call);
    const user = asserted instanceof Promise ? await asserted : asserted;
    assertUserAllowed(method.access, caller, user);
    const request = decode(method.input, call.request);
    const reply = await method.handler(request, new HandledCall(call, user));
    return method.encode(reply);
  }
}

/**
 * The context that handlers get. The getter is on a prototype: V8 creates one of an object literal in
 * the old generation, with all that belongs to the call (docs/decisions/0044).
 */
class HandledCall implements CallContext {
  readonly caller: string;
  readonly user: UserIdentity | undefined;
  readonly userAssertion: string | undefined;
  readonly traceparent: string | undefined;
  readonly #deadline: CallDeadline;

  constructor(call: IncomingCall, user: UserIdentity | undefined) {
    const { caller, onwardAssertion, traceparent, deadline } = call;
    this.caller = caller;
    this.user = user;
    this.userAssertion = onwardAssertion === "" ? undefined : onwardAssertion;
    this.traceparent = TRACEPARENT.test(traceparent) ? traceparent : undefined;
    this.#deadline = deadline;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  remainingMs(): number {
    return this.#deadline.remainingMs();
  }
}

/** OpenTelemetry's name for a method that does not exist. */
const UNKNOWN_METHOD = new IncomingCalls("/_OTHER");

/** W3C Trace Context, 3.2.2. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Milliseconds since `startedMs`, to a tenth. */
function since(startedAtMs: number): number {
  return Math.round((performance.now() - startedAtMs) * 10) / 10;
}

function overloaded(): Failure {
  return new Failure("unavailable", "OVERLOADED", "Too many concurrent calls; try again shortly.", {
    retryAfterMs: 1_000,
  });
}
