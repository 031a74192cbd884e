import type { DatabaseCondition } from "@nutrition/core/database-conditions";
import { Failure } from "@nutrition/core/failure";
import pg from "pg";

// SQLSTATE by class (PostgreSQL documentation, appendix A): 08 broken connections, 53 exhausted
// resources (disk, memory, connections), 57 interventions of the operator and timeouts, 58 failures
// of the system. Of other classes, 25006 is a server that accepts no writes, 25P03 a transaction
// that was idle for too long, 55P03 a lock timeout.
const UNAVAILABLE = /^((08|53|57|58)...|25006|25P03|55P03)$/;
/** Errors of the network and of file descriptors (Node). */
const NETWORK =
  /^(ECONN.*|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST.*|ENET.*|EMFILE|ENFILE)$/;
const WITHOUT_CODE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/** After these, another server may be the right one: the connection must not be used again. */
const ENDS_CONNECTION = /^(08...|57P0.|25006)$/;

const CONDITIONS: readonly (readonly [RegExp, DatabaseCondition])[] = [
  [/^53100$/, "disk_full"],
  [/^53200$/, "out_of_memory"],
  [/^53300$/, "connections_used_up"],
  [/^58...$/, "storage_failing"],
  [/^25006$/, "read_only"],
];

/**
 * The failure `unavailable` for a database that is unreachable, or that cannot do its work for now;
 * other errors unchanged.
 */
export function translate(error: unknown): unknown {
  return !(error instanceof Failure) && isUnavailable(error) ? unavailable(error) : error;
}

/** The failure that stands for the database's own trouble, which `cause` says. */
export function unavailable(cause: unknown): Failure {
  return new Failure("unavailable", "DATABASE_UNAVAILABLE", "Try again in a moment.", {
    cause,
    retryAfterMs: 2_000,
  });
}

/** Whether the same request may succeed later without anybody changing it. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Failure) return error.kind === "unavailable";
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return WITHOUT_CODE.test(error.message);
  return UNAVAILABLE.test(code) || NETWORK.test(code);
}

/** The condition of the server that an error of its own reveals; undefined if none. */
export function conditionOf(error: unknown): DatabaseCondition | undefined {
  const code = codeOf(error) ?? "";
  return CONDITIONS.find(([codes]) => codes.test(code))?.[1];
}

/** Whether the connection survives the error: PostgreSQL only refused the statement. */
export function leavesConnectionUsable(error: unknown): boolean {
  if (error instanceof Failure) return true;
  if (!(error instanceof pg.DatabaseError)) return false;
  return !ENDS_CONNECTION.test(error.code ?? "") && !/^(FATAL|PANIC)$/.test(error.severity ?? "");
}

/** Why a database operation failed, for the operator: what the server or the network said. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Failure ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  // An error about all addresses of a name has a code, but no message.
  return cause.message || (codeOf(cause) ?? cause.name);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
