import { stdSerializers } from "pino";

/** Members in which PostgreSQL repeats rows and values, and so user data. */
const OF_PEOPLE = ["detail", "where"];

/** An error for the log: where it happened and why, without the data involved. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described: Record<string, unknown> = stdSerializers.err(error);
  for (const name of OF_PEOPLE) delete described[name];
  return described;
}
