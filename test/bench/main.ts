import { requireRedis } from "@nutrition/test-support/redis";

import { runAnalysis } from "./analysis/analysis.ts";
import { runEdge } from "./edge/edge.ts";
import { runFairness } from "./fairness/fairness.ts";
import { runLimits } from "./limits/limits.ts";
import { runMcp } from "./mcp/mcp.ts";
import type { BenchOptions } from "./options.ts";
import { OPTIONS_HELP, parseCommand } from "./options.ts";
import { runReplicas } from "./replicas/replicas.ts";
import { runRpc } from "./rpc/rpc.ts";
import { runScale } from "./scale/scale.ts";
import { runSearch } from "./search/search.ts";
import { runSoak } from "./soak/soak.ts";
import { runTelemetry } from "./telemetry/telemetry.ts";
import { runWrite } from "./write/write.ts";

/** Time for a benchmark to stop what it has started, when it is told to end. */
const STOP_MAX_MS = 10_000;

interface Benchmark {
  /** Description in one line. */
  about: string;
  needsRedis?: boolean;
  /** Runs it; resolves to whether the targets are met. */
  run: (options: BenchOptions, stop: AbortSignal) => Promise<boolean>;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  analysis: {
    about: "accuracy and speed of estimates on labelled lines",
    run: runAnalysis,
  },
  edge: {
    about: "GET /api/v1/nutrition/summary through all services, compared with a monolith",
    needsRedis: true,
    run: runEdge,
  },
  fairness: {
    about: "ordinary people beside one abusive account of each kind, compared with people alone",
    run: runFairness,
  },
  limits: {
    about:
      "durable decisions on limits, compared with one transaction each and rate-limiter-flexible",
    needsRedis: true,
    run: runLimits,
  },
  mcp: {
    about: "a tool call through all services, compared with the same read over REST",
    run: runMcp,
  },
  replicas: {
    about: "how work spreads over two and three instances of each service",
    run: runReplicas,
  },
  rpc: {
    about: "calls between two processes, batched on one stream, compared with unary gRPC",
    run: runRpc,
  },
  scale: {
    about: "reads, plans, exports and erasures with 100,000 accounts, against a tenth of them",
    run: runScale,
  },
  search: {
    about: "searches over 400,000 foods, compared with one condition over all of them",
    run: runSearch,
  },
  soak: {
    about: "memory of everything that npm start starts while many people read and log",
    run: runSoak,
  },
  telemetry: {
    about: "the cost of traces and metrics per request, compared with none",
    run: runTelemetry,
  },
  write: {
    about: "log_food of three lines: time, statements and round trips",
    run: runWrite,
  },
};

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);

/** Whatever still runs then ends with this process: each child has a channel or a pipe to it. */
function onSignal(): void {
  if (stop.signal.aborted) process.exit(1);
  stop.abort();
  console.error(`Stopping, within ${STOP_MAX_MS / 1_000} s; a second signal ends it at once.`);
  setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
}

try {
  const { name, help, options } = parseCommand(process.argv.slice(2));
  const benchmark = name === undefined ? undefined : BENCHMARKS[name];
  if (help) console.log(helpText());
  else if (!benchmark) throw new Error(`There is no benchmark "${name ?? ""}".\n\n${helpText()}`);
  else {
    if (benchmark.needsRedis) requireRedis();
    if (!(await benchmark.run(options, stop.signal))) process.exitCode = 1;
  }
} catch (error) {
  process.exitCode = 1;
  if (stop.signal.aborted) console.error("Stopped.");
  else console.error(error instanceof Error ? error.message : error);
}

function helpText(): string {
  const names = Object.entries(BENCHMARKS).map(
    ([name, { about }]) => `  ${name.padEnd(17)} ${about}`,
  );
  return `npm run bench -- NAME [options]\n\n${names.join("\n")}\n${OPTIONS_HELP}`;
}
