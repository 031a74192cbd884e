import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

import { MEASURED_SERVICES } from "@nutrition/local/telemetry";
import type { OtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";

import { System } from "./system.ts";

/** Everything recorded during a run, by source: log files, spans and metrics, pages. */
export type Told = Map<string, string>;

/** Patterns that must not occur anywhere. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  "an API key": /service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]/,
  "a token": /eyJ[\w-]{8,}\.[\w-]/,
  "an e-mail address": /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i,
  "a private key": /PRIVATE KEY|"d":"/,
};

/** The whole system with everything that it records, at the most verbose level. */
export interface ObservedSystem extends AsyncDisposable {
  readonly system: System;
  readonly receiver: OtlpReceiver;
  /** Stops the system, and returns everything it has recorded. */
  end(): Promise<Told>;
}

export async function startObserved(): Promise<ObservedSystem> {
  await using starting = new AsyncDisposableStack();
  const bodies: Uint8Array[] = [];
  const receiver = starting.use(await startOtlpReceiver({ onBody: (body) => bodies.push(body) }));
  const system = starting.use(
    await System.start({
      LOG_LEVEL: "debug",
      OPERATIONS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    }),
  );
  const running = starting.move();
  return {
    system,
    receiver,
    async end() {
      const pages = await Promise.all(MEASURED_SERVICES.map((name) => metricsOf(system, name)));
      await system.stop();
      const sent = ["spans and metrics", Buffer.concat(bodies).toString()] as const;
      return new Map([...pages, sent, ...(await logsOf(system))]);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The metrics page, at the port that the service logged. */
async function metricsOf({ dataFolder }: System, name: string): Promise<[string, string]> {
  const log = join(dataFolder, "logs", `${name}.log`);
  const portLine = /"port":(\d+),"msg":"answering probes"/.exec(await readFile(log, "utf8"));
  if (!portLine) throw new Error(`${name} has not logged its port.`);
  const page = await fetch(`http://127.0.0.1:${portLine[1]}/metrics`);
  return [`metrics of ${name}`, await page.text()];
}

async function logsOf({ dataFolder }: System): Promise<[string, string][]> {
  const folder = join(dataFolder, "logs");
  const files = await readdir(folder);
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [
      file,
      await readFile(join(folder, file), "utf8"),
    ]),
  );
}

/** The places that contain one of the secrets or forbidden patterns. */
export function leaksIn(told: Told, secrets: Readonly<Record<string, string>>): string[] {
  return [...told].flatMap(([where, text]) => [
    ...Object.entries(secrets)
      .filter(([, secret]) => text.toLowerCase().includes(secret.toLowerCase()))
      .map(([what]) => `${where}: ${what}`),
    ...Object.entries(SHAPES)
      .filter(([, shape]) => shape.test(text))
      .map(([what]) => `${where}: ${what}`),
  ]);
}
