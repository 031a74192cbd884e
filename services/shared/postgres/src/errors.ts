import { Failure } from "@nutrition/core/failure";
import pg from "pg";

// Class 08 is a broken connection, 57014 a statement timeout, 55P03 a lock timeout, 25P03 a
// transaction that was idle for too long, 57P01-57P03 a server that stops or starts, 53300 too many
// connections (PostgreSQL documentation, appendix A).
const AWAY =
  /^(08...|25P03|55P03|57014|57P0[123]|53300|ECONN.*|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
const AWAY_WITHOUT_CODE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/** The failure `unavailable` for an unreachable database; other errors unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const isUnavailable =
    code === undefined ? AWAY_WITHOUT_CODE.test(error.message) : AWAY.test(code);
  if (!isUnavailable) return error;
  return new Failure("unavailable", "DATABASE_UNAVAILABLE", "Try again in a moment.", {
    cause: error,
    retryAfterMs: 2_000,
  });
}

/** Whether the connection survives the error: PostgreSQL only refused the statement. */
export function leavesConnectionUsable(error: unknown): boolean {
  return (
    error instanceof Failure || (error instanceof pg.DatabaseError && error.severity === "ERROR")
  );
}
