import { ConfigError } from "./config.ts";
import { createLogger } from "./logger.ts";

export interface ServiceMain<Config> {
  /** Name in logs. */
  name: string;
  /** Reads the environment; throws a `ConfigError`. */
  readConfig: (environment: NodeJS.ProcessEnv) => Config;
  /** Starts everything; disposing stops it and finishes what is in flight. */
  start: (config: Config) => Promise<AsyncDisposable & { readonly address: string }>;
}

/**
 * Runs a service until it is told to stop: SIGTERM, SIGINT, or the end of the process that started
 * it. With `--check-config` it only reads its configuration. Sets the exit code and lets the process
 * end by itself, so that nothing buffered is lost.
 */
export async function runService<Config>(main: ServiceMain<Config>): Promise<void> {
  const logger = createLogger({ service: main.name, level: "info" });
  try {
    const config = main.readConfig(process.env);
    if (process.argv.includes("--check-config")) {
      logger.info({}, "the configuration is valid");
      return;
    }
    const stopped = untilToldToStop();
    await using service = await main.start(config);
    logger.info({ address: service.address }, "ready");
    logger.info({ cause: await stopped }, "stopping");
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof ConfigError) logger.error({}, error.message);
    else logger.error({ err: error }, "could not run");
  } finally {
    // The channel to the process that started this one would keep it alive.
    if (process.connected) process.disconnect();
  }
}

/** A second signal while stopping ends the process at once, as Node does without a listener. */
function untilToldToStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve("SIGTERM"));
    process.once("SIGINT", () => resolve("SIGINT"));
    process.once("disconnect", () => resolve("the launcher ended"));
  });
}
