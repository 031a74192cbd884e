const ERROR_LEVEL = 50;
/** Node's report of an uncaught error, above its stack. */
const UNCAUGHT = /^\w*Error(?: \[\w+\])?: .+/;
const REASONS_MAX = 5;
const LINES_SHOWN = 15;

/**
 * Why a program ended, according to its log: the messages of its errors, without stacks; or its
 * last lines when there is no error.
 */
export function failureReasons(log: string): string {
  const lines = log.trimEnd().split("\n");
  const reasons = [...new Set(lines.flatMap((line) => reasonIn(line) ?? []))];
  return (reasons.length > 0 ? reasons.slice(-REASONS_MAX) : lines.slice(-LINES_SHOWN)).join("\n");
}

function reasonIn(line: string): string | undefined {
  const record = recordIn(line);
  if (!record) return UNCAUGHT.exec(line)?.[0];
  return (record.level ?? 0) < ERROR_LEVEL ? undefined : (record.err?.message ?? record.msg);
}

/** A service logs one JSON object per line. */
function recordIn(line: string) {
  try {
    const value: unknown = JSON.parse(line);
    return value as { level?: number; msg?: string; err?: { message?: string } } | null;
  } catch {
    return undefined;
  }
}
