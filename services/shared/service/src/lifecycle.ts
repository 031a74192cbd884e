import { once } from "node:events";
import { dirname, join, relative } from "node:path";

import { telemetryEnvironment } from "@nutrition/telemetry/config";
import type { MetricsPage } from "@nutrition/telemetry/metrics/page";
import { startTelemetry } from "@nutrition/telemetry/start-telemetry";
import { z } from "zod";

import packageJson from "../package.json" with { type: "json" };
import { ConfigError, parseEnvironment, port } from "./config.ts";
import { disablePretenuring, spaceOutFullCollections } from "./full-collections.ts";
import type { Logger } from "./logger.ts";
import { createLogger, loggingEnvironment } from "./logger.ts";
import type { ReadinessDetails } from "./operations-server.ts";
import { OperationsServer } from "./operations-server.ts";

const GARBAGE_MIB = 8;

const environment = telemetryEnvironment.extend({
  ...loggingEnvironment.shape,
  /** Address of the port below; never a public one. */
  OPERATIONS_HOST: z.string().default("127.0.0.1"),
  /** Port for liveness, readiness and metrics; none when absent. */
  OPERATIONS_PORT: port.optional(),
});
type Environment = z.infer<typeof environment>;

export interface ServiceMain<Config> {
  /** Name in logs. */
  name: string;
  /** Reads the environment; throws a `ConfigError`. */
  readConfig: (environment: NodeJS.ProcessEnv) => Config;
  /** Resolves once the service's prerequisites are available; rejects when the signal aborts. */
  waitFor?: (config: Config, waiting: { signal: AbortSignal; logger: Logger }) => Promise<void>;
  /**
   * Garbage between two full collections of the heap, 8 MiB by default. A service that handles
   * documents of about 100 kB needs more, because it copies each of them several times.
   */
  garbageMiB?: number;
  /** Starts everything; disposing stops it after finishing what is in flight. */
  start: (config: Config, process: { logger: Logger }) => Promise<RunningService>;
}

interface RunningService extends AsyncDisposable {
  readonly address: string;
  /** What the operations port adds to the readiness. */
  readonly details?: () => ReadinessDetails;
}

/**
 * Runs a service until it is told to stop: SIGTERM, SIGINT, or the end of its parent process. With
 * `--check-config` it only reads its configuration. With `OPERATIONS_PORT`, it answers the
 * platform's probes from before the service starts until it has stopped. It sets the exit code and
 * lets the process exit on its own, so that no buffered output is lost.
 */
export async function runService<Config>(main: ServiceMain<Config>): Promise<void> {
  disablePretenuring();
  const logger = createLogger(main.name, process.env);
  try {
    const config = main.readConfig(process.env);
    const shared = parseEnvironment(environment, process.env);
    if (process.argv.includes("--check-config")) {
      logger.info({}, "the configuration is valid");
      return;
    }
    const stop = untilToldToStop();
    const { name } = main;
    const { version } = packageJson;
    // Stops after the service, so that the last spans are sent.
    await using telemetry = await startTelemetry({
      service: name,
      version,
      config: shared,
      isScraped: shared.OPERATIONS_PORT !== undefined,
      logger,
    });
    await using operations = await startOperations(shared, telemetry.metrics, logger);
    await runUntil(stop, main, config, { operations, logger });
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof ConfigError)
      logger.error({}, `${error.message}\n${helpWithConfig(main.name)}`);
    else logger.error({ err: error }, "could not run");
  } finally {
    // The channel to the parent process would keep this one alive.
    if (process.connected) process.disconnect();
  }
}

/** Points somebody who started the service by hand to the documentation. */
function helpWithConfig(name: string): string {
  const file = join(dirname(process.argv[1] ?? ""), "config.ts");
  return (
    `${relative(process.cwd(), file)} documents every variable. ` +
    `For development, npm start -- --only ${name} runs the service with everything it needs.`
  );
}

async function startOperations(
  { OPERATIONS_HOST: host, OPERATIONS_PORT }: Environment,
  metrics: MetricsPage | undefined,
  logger: Logger,
): Promise<OperationsServer | undefined> {
  if (OPERATIONS_PORT === undefined) return undefined;
  const operations = await OperationsServer.start({ host, port: OPERATIONS_PORT, metrics });
  logger.info({ port: operations.port }, "answering probes");
  return operations;
}

/** Runs the service until `stop` aborts, which may happen before it has started. */
async function runUntil<Config>(
  stop: AbortSignal,
  main: ServiceMain<Config>,
  config: Config,
  { operations, logger }: { operations: OperationsServer | undefined; logger: Logger },
): Promise<void> {
  try {
    await main.waitFor?.(config, { signal: stop, logger });
  } catch (error) {
    if (!stop.aborted) throw error;
    logger.info({ cause: stop.reason }, "stopping before it has started");
    return;
  }
  await using service = await main.start(config, { logger });
  spaceOutFullCollections(main.garbageMiB ?? GARBAGE_MIB);
  operations?.setReady(() => service.details?.() ?? {});
  logger.info({ address: service.address }, "ready");
  if (!stop.aborted) await once(stop, "abort");
  logger.info({ cause: stop.reason }, "stopping");
  operations?.setStopping();
}

/**
 * Aborts when the process is told to stop; the reason names the source. A second signal while
 * stopping ends the process at once, as Node does without a listener.
 */
function untilToldToStop(): AbortSignal {
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort("SIGTERM"));
  process.once("SIGINT", () => stop.abort("SIGINT"));
  process.once("disconnect", () => stop.abort("the launcher ended"));
  return stop.signal;
}
