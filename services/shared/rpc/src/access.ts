import { Failure } from "@nutrition/core/failure";
import type { DescService } from "@bufbuild/protobuf";

import type { UserIdentity } from "./context.ts";

/** Who may call a method. */
export interface MethodAccess {
  /** Names of the services that may call it. */
  readonly callers: readonly string[];
  /**
   * - `required`: for a user, with any credential
   * - `session`: for a person signed in on our own pages, or by the operator; never with an API key
   *   or a connector's token
   * - `optional`: with or without a user
   * - `none`: for nobody
   */
  readonly user: "required" | "session" | "optional" | "none";
}

/** The access of each method that a service answers. */
export type Access<Service extends DescService> = {
  readonly [Method in keyof Service["method"]]?: MethodAccess;
};

/** The service whose operator acts without a user. */
export const OPERATOR = "admin";

/** Services that may say which user a call is for. */
const ASSERTING_SERVICES: ReadonlySet<string> = new Set(["gateway", "web"]);

/** Services that may pass on what an asserting service said. */
const FORWARDING_SERVICES: ReadonlySet<string> = new Set(["journal"]);

export function mayAssertUsers(service: string): boolean {
  return ASSERTING_SERVICES.has(service);
}

export function mayForwardUsers(service: string): boolean {
  return FORWARDING_SERVICES.has(service);
}

/** Throws the failure `permission_denied` when the caller or its user may not call the method. */
export function assertAllowed(
  access: MethodAccess,
  caller: string,
  user: UserIdentity | undefined,
): void {
  if (!access.callers.includes(caller)) {
    throw denied(`The service ${caller} may not call this method.`);
  }
  if (access.user === "required" && !user) throw denied("This method acts for a user.");
  if (access.user === "none" && user) throw denied("This method acts for no user.");
  if (access.user === "session" && !isSessionOrOperator(caller, user)) {
    throw denied("This needs the person's own sign-in; a key or a connector may not do it.");
  }
}

function isSessionOrOperator(caller: string, user: UserIdentity | undefined): boolean {
  return user ? user.credentialKind === "session" : caller === OPERATOR;
}

function denied(message: string): Failure {
  return new Failure("permission_denied", "CALL_NOT_ALLOWED", message);
}
