import { stdSerializers } from "pino";

/** Members in which PostgreSQL repeats rows and values, and so what people have written. */
const OF_PEOPLE = ["detail", "where"];

/** An error as it is logged: where it happened and why, without the data that it happened with. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described: Record<string, unknown> = stdSerializers.err(error);
  for (const name of OF_PEOPLE) delete described[name];
  return described;
}
