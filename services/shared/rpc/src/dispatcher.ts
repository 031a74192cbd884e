import type { DescMessage, DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Failure, toFailure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";

import type { Access, MethodAccess } from "./access.ts";
import { assertAllowed, mayForwardUsers } from "./access.ts";
import type { CallContext, UserIdentity } from "./context.ts";
import type { VerifiedStatement } from "./identity.ts";
import { methodPath } from "./service-definition.ts";
import type { Handlers } from "./service-definition.ts";

/** A service with its handlers and who may call them. */
export interface ServiceBinding {
  readonly service: DescService;
  readonly methods: ReadonlyMap<string, BoundMethod>;
}

interface BoundMethod {
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly access: MethodAccess;
  readonly handler: (
    request: MessageShape<DescMessage>,
    context: CallContext,
  ) => Promise<Parameters<typeof create>[1]>;
}

/** Joins a service's handlers with the access rule of each. A handler without a rule is a bug. */
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
    methods.set(methodPath(method), { input, output, handler, access: rule });
  }
  return { service, methods };
}

/** A call as it arrived on either carrier, its statements verified. */
export interface IncomingCall {
  method: string;
  request: Uint8Array;
  caller: VerifiedStatement;
  /** What the caller passes on about its user, with the statement itself. */
  forwarded: { statement: VerifiedStatement; token: string } | undefined;
  callerToken: string;
  deadline: CallDeadline;
}

/** When a call ends, and whether its caller still waits. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  remainingMs(): number;
}

/** Finds the handler of a call, checks access, and runs it. */
export class Dispatcher {
  readonly #methods = new Map<string, BoundMethod>();
  readonly #logger: Logger;
  readonly #maxInFlight: number;
  #inFlight = 0;

  constructor(bindings: readonly ServiceBinding[], logger: Logger, maxInFlight: number) {
    for (const { methods } of bindings) {
      for (const [path, method] of methods) this.#methods.set(path, method);
    }
    this.#logger = logger;
    this.#maxInFlight = maxInFlight;
  }

  /** The serialised reply. Rejects with a `Failure` only; bugs are logged here. */
  async dispatch(call: IncomingCall): Promise<Uint8Array> {
    if (this.#inFlight >= this.#maxInFlight) throw overloaded();
    this.#inFlight += 1;
    try {
      return await this.#run(call);
    } catch (error) {
      const failure = toFailure(error);
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
      throw new Failure("unimplemented", "NO_SUCH_METHOD", `${call.method} is not served here.`);
    }
    const user = userOf(call);
    assertAllowed(method.access, call.caller.service, user);
    const reply = await method.handler(decode(method.input, call.request), {
      caller: call.caller.service,
      user,
      userStatement: user && (call.forwarded?.token ?? call.callerToken),
      get signal() {
        return call.deadline.signal;
      },
      remainingMs: () => call.deadline.remainingMs(),
    });
    return toBinary(method.output, create(method.output, reply));
  }
}

function userOf({ caller, forwarded }: IncomingCall): UserIdentity | undefined {
  if (!forwarded) return caller.user;
  if (!mayForwardUsers(caller.service)) {
    const message = `The service ${caller.service} may not pass on a user.`;
    throw new Failure("permission_denied", "CALL_NOT_ALLOWED", message);
  }
  return forwarded.statement.user;
}

function decode(input: DescMessage, bytes: Uint8Array): MessageShape<DescMessage> {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    throw new Failure("invalid_argument", "MALFORMED_REQUEST", "The request cannot be read.", {
      cause,
    });
  }
}

function overloaded(): Failure {
  return new Failure("unavailable", "OVERLOADED", "Too many calls at once; try again shortly.", {
    retryAfterMs: 1_000,
  });
}
