const MIB = 2 ** 20;
const SERVICE_MAX_MIB = 160;
const TOTAL_MAX_MIB = 900;
/** From when on memory may hardly grow, and by how much. */
const SETTLED_MINUTES = 10;
const GROWTH_MAX = 1.05;
const FAILURES_MAX = 0.001;

/** Memory at one time. */
export interface Sample {
  minute: number;
  /** Proportional set size in bytes by process. */
  bytes: Record<string, number>;
}

export interface SoakReport {
  minutes: number;
  answers: number;
  /** A machine that is busy with other things refuses some. */
  failures: number;
  /** In MiB: at the end, and at minute 10 if the load went on. */
  rows: { name: string; end: number; settled: number | undefined; isService: boolean }[];
  total: number;
  isGood: boolean;
}

/** The last sample against the bounds, and against the one when memory should have settled. */
export function reportOf(
  { minutes, answers, failures }: Pick<SoakReport, "minutes" | "answers" | "failures">,
  samples: readonly Sample[],
): SoakReport {
  const last = samples.at(-1);
  const settledAt =
    minutes > SETTLED_MINUTES ? samples.find(({ minute }) => minute >= SETTLED_MINUTES) : undefined;
  const rows = Object.entries(last?.bytes ?? {}).map(([name, bytes]) => {
    const settled = settledAt?.bytes[name];
    return {
      name,
      end: bytes / MIB,
      settled: settled === undefined ? undefined : settled / MIB,
      isService: !name.includes("launcher"),
    };
  });
  const total = rows.reduce((sum, { end }) => sum + end, 0);
  const settledTotal = rows.reduce((sum, { settled = Infinity }) => sum + settled, 0);
  return {
    minutes,
    answers,
    failures,
    rows,
    total,
    isGood:
      failures <= answers * FAILURES_MAX &&
      rows.every(({ end, isService }) => !isService || end <= SERVICE_MAX_MIB) &&
      total <= TOTAL_MAX_MIB &&
      total <= settledTotal * GROWTH_MAX,
  };
}

/** The report for a person to read, in Markdown. */
export function tableOf({ minutes, answers, failures, rows, total, isGood }: SoakReport): string {
  const isLong = minutes > SETTLED_MINUTES;
  const lines = rows.map(({ name, end, settled = Number.NaN }) => {
    return [name, end.toFixed(0), ...(isLong ? [settled.toFixed(0)] : [])];
  });
  const head = [
    "process",
    `MiB after ${minutes} minutes`,
    ...(isLong ? [`MiB after ${SETTLED_MINUTES} minutes`] : []),
  ];
  return [
    `Proportional set size under load, ${answers} answers and ${failures} failures`,
    "",
    ...[
      head,
      head.map(() => "---"),
      ...lines,
      ["all", total.toFixed(0), ...(isLong ? [""] : [])],
    ].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Bounds: ${SERVICE_MAX_MIB} MiB a service, ${TOTAL_MAX_MIB} MiB in all, ${Math.round((GROWTH_MAX - 1) * 100)} % growth after minute ${SETTLED_MINUTES}: ${isGood ? "kept" : "not kept"}.`,
  ].join("\n");
}
