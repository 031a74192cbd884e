import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { findFreePorts, untilListening } from "@nutrition/local/ports";

// Builds the OpenTelemetry Collector for the tests from its Go modules, unless it exists:
//   node test/observability/collector-program.ts

const FOLDER = join(import.meta.dirname, "../../deploy/observability/collector");
const CONFIG = join(FOLDER, "config.yaml");
const MANIFEST = join(FOLDER, "builder.yaml");
const VERSION = /^ {2}version: (\S+)$/m.exec(readFileSync(MANIFEST, "utf8"))?.[1] ?? "";

/** Location of the program between runs, outside of the work tree. */
const CACHE = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  "nutrition-journal/collector",
  VERSION,
);
const COLLECTOR = join(CACHE, "otelcol");

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 20_000;

/** Whether to skip tests that need the collector, because it is not built; prints a warning. */
export function isWithoutCollector(): boolean {
  if (existsSync(COLLECTOR)) return false;
  console.warn(
    "\n*** The OpenTelemetry Collector is not built: the tests that need it are SKIPPED. ***\n" +
      "*** With Go: node test/observability/collector-program.ts (some minutes)         ***\n",
  );
  return true;
}

/** Output of `otelcol validate` for the shipped configuration. */
export function validate(): { ok: boolean; output: string } {
  const env = { ...process.env, TRACES_ENDPOINT: `http://${HOST}:4318` };
  const { status, stdout, stderr } = spawnSync(COLLECTOR, ["validate", "--config", CONFIG], {
    env,
    encoding: "utf8",
  });
  return { ok: status === 0, output: stdout + stderr };
}

export interface RunningCollector extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** The pushed metrics, in Prometheus format. */
  metrics(): Promise<string>;
  /** Its log so far. */
  log(): string;
}

/** Runs the shipped configuration on separate ports, with traces exported to `tracesUrl`. */
export async function startCollector(tracesUrl: string): Promise<RunningCollector> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "nutrition-collector-"));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const [otlp = 0, prometheus = 0, health = 0] = await findFreePorts(3);
  const here = {
    receivers: { otlp: { protocols: { http: { endpoint: `${HOST}:${otlp}` } } } },
    // The tests' receiver does not support compressed bodies.
    exporters: {
      prometheus: { endpoint: `${HOST}:${prometheus}` },
      "otlp_http/traces": { compression: "none" },
    },
    extensions: { health_check: { endpoint: `${HOST}:${health}` } },
    service: { telemetry: { metrics: { level: "none" } } },
  };
  const overrides = join(folder, "here.yaml");
  // JSON is YAML, too.
  await writeFile(overrides, JSON.stringify(here));
  const child = spawn(COLLECTOR, ["--config", CONFIG, "--config", overrides], {
    env: { ...process.env, TRACES_ENDPOINT: tracesUrl },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = once(child, "exit");
  starting.defer(async () => {
    process.off("exit", kill);
    kill();
    await exited;
  });
  await untilListening(otlp, HOST, AbortSignal.timeout(START_TIMEOUT_MS));
  const running = starting.move();
  return {
    url: `http://${HOST}:${otlp}`,
    metrics: async () => (await fetch(`http://${HOST}:${prometheus}/metrics`)).text(),
    log: () => log,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Throws Go's error when the build fails. */
function build(): void {
  if (existsSync(COLLECTOR)) return;
  console.log(`Building the OpenTelemetry Collector ${VERSION}; this takes some minutes.`);
  mkdirSync(CACHE, { recursive: true });
  const builder = `go.opentelemetry.io/collector/cmd/builder@v${VERSION}`;
  go(["run", builder, "--skip-compilation", "--config", MANIFEST], CACHE);
  go(
    ["build", "-trimpath", "-ldflags=-s -w", "-o", `${COLLECTOR}.new`, "."],
    join(CACHE, "sources"),
  );
  // An interrupted build leaves nothing that looks complete.
  renameSync(`${COLLECTOR}.new`, COLLECTOR);
}

function go(args: readonly string[], cwd: string): void {
  const env = { ...process.env, CGO_ENABLED: "0" };
  const { status, error } = spawnSync("go", args, { cwd, env, stdio: "inherit" });
  if (error) throw new Error(`Go cannot be run: ${error.message}. Install it (golang-go).`);
  if (status !== 0) throw new Error("The collector could not be built.");
}

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
