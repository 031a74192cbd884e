import { Failure } from "@nutrition/core/failure";
import { WRITE_TOOLS } from "@nutrition/core/write-tools";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { DescService } from "@bufbuild/protobuf";
import type { UserIdentity } from "@nutrition/core/user-identity";

import { methodPath } from "./service-definition.ts";

/** Access rule of a method. */
export interface MethodAccess {
  /** Names of the services that may call it. */
  readonly callers: readonly string[];
  /**
   * - `required`: for a user, with any credential
   * - `session`: for a person signed in on our own pages, or by the operator; never with an API key
   *   or a connector's token
   * - `optional`: with or without a user
   * - `none`: without a user
   */
  readonly user: "required" | "session" | "optional" | "none";
}

/** The access rule of each method of a service. */
export type Access<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]?: MethodAccess;
};

/** The service whose operator acts without a user. */
export const OPERATOR = "admin";

/** Services that may assert the user of a call. */
const ASSERTING_SERVICES: ReadonlySet<string> = new Set(["gateway", "web"]);

/** Which services pass their caller's user on to other services, and to which ones. */
export interface Forwarding {
  readonly by: string;
  readonly to: readonly string[];
}

const BY_THE_JOURNAL: Forwarding = { by: "journal", to: ["limits", "analysis"] };
const FORWARDING_METHODS: ReadonlyMap<string, Forwarding> = new Map(
  Object.values(WRITE_TOOLS).map(({ method }) => [
    methodPath(JournalService.method[method]),
    BY_THE_JOURNAL,
  ]),
);

export function mayAssertUsers(service: string): boolean {
  return ASSERTING_SERVICES.has(service);
}

/**
 * The services to which the callee of `method` (a full path) passes its user on; undefined for
 * none.
 */
export function forwardingOf(method: string): Forwarding | undefined {
  return FORWARDING_METHODS.get(method);
}

/** Throws the failure `permission_denied` when the service may not call the method. */
export function assertCallerAllowed(access: MethodAccess, caller: string): void {
  if (!access.callers.includes(caller)) {
    throw denied(`The service ${caller} may not call this method.`);
  }
}

/** Throws the failure `permission_denied` when the method is not for this user, or needs one. */
export function assertUserAllowed(
  access: MethodAccess,
  caller: string,
  user: UserIdentity | undefined,
): void {
  if (access.user === "required" && !user) throw denied("This method must be called for a user.");
  if (access.user === "none" && user) throw denied("This method must be called without a user.");
  if (access.user === "session" && !isSessionOrOperator(caller, user)) {
    throw denied("This needs the person's own sign-in; a key or a connector must not do it.");
  }
}

/** Throws `permission_denied` when the service may not assert a user. */
export function assertMayAssert(caller: string): void {
  if (!ASSERTING_SERVICES.has(caller)) throw denied(`The service ${caller} may not assert a user.`);
}

/** Throws `permission_denied` when the service may not pass a user on to `callee`. */
export function assertMayForward(caller: string, callee: string): void {
  if (caller !== BY_THE_JOURNAL.by || !BY_THE_JOURNAL.to.includes(callee)) {
    throw denied(`The service ${caller} may not pass a user on to ${callee}.`);
  }
}

function isSessionOrOperator(caller: string, user: UserIdentity | undefined): boolean {
  return user ? user.credentialKind === "session" : caller === OPERATOR;
}

function denied(message: string): Failure {
  return new Failure("permission_denied", "CALL_NOT_ALLOWED", message);
}
