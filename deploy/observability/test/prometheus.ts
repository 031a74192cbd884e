import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findFreePorts, untilListening } from "@nutrition/test-support/ports";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 20_000;

/**
 * Whether to skip tests that need Prometheus, because it is not installed; prints a warning. In CI,
 * they fail instead.
 */
export function isWithoutPrometheus(): boolean {
  if (process.env["CI"] === "true" || spawnSync("promtool", ["--version"]).status === 0) {
    return false;
  }
  console.warn(
    "\n*** prometheus is not installed: the tests that need it are SKIPPED. ***\n" +
      "*** On Debian: apt-get install prometheus                           ***\n",
  );
  return true;
}

/** Promtool's output for these files, each written under its name; the first is its argument. */
export async function promtool(
  command: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<{ ok: boolean; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-promtool-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const [first = ""] = Object.keys(files);
    const { status, stdout, stderr } = spawnSync("promtool", [...command, first], {
      cwd: folder,
      encoding: "utf8",
    });
    return { ok: status === 0, output: stdout + stderr };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface ScrapedJob {
  job: string;
  /** `host:port` that serves `/metrics`. */
  address: string;
}

export interface RunningPrometheus extends AsyncDisposable {
  /** The result of an instant query. Throws Prometheus's error for an invalid query. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Firing alerts. */
  firing(): Promise<string[]>;
  /** Trace ids of the exemplars of a query in the last minute. */
  exemplars(expression: string): Promise<string[]>;
}

/** Debian's Prometheus on a loopback port. It scrapes every 2 seconds and evaluates every second. */
export async function startPrometheus(
  jobs: readonly ScrapedJob[],
  rules: object,
): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-prometheus-"));
  const [port = 0] = await findFreePorts(1);
  const config = {
    global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
    rule_files: ["rules.json"],
    scrape_configs: jobs.map(({ job, address }) => ({
      job_name: job,
      static_configs: [{ targets: [address] }],
    })),
  };
  // JSON is YAML, too.
  await writeFile(join(folder, "prometheus.json"), JSON.stringify(config));
  await writeFile(join(folder, "rules.json"), JSON.stringify(rules));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.json")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${HOST}:${port}`,
      "--enable-feature=exemplar-storage",
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = once(child, "exit");
  await untilListening(port, HOST, AbortSignal.timeout(START_TIMEOUT_MS));
  const get = (path: string) => getData(`http://${HOST}:${port}/api/v1/${path}`);
  return {
    query: async (expression) => {
      const { result } = (await get(`query?query=${encodeURIComponent(expression)}`)) as {
        result: { metric: Record<string, string>; value: [number, string] }[];
      };
      return result;
    },
    firing: async () => {
      const { alerts } = (await get("alerts")) as {
        alerts: { state: string; labels: Record<string, string> }[];
      };
      return alerts
        .filter(({ state }) => state === "firing")
        .map(({ labels }) => labels["alertname"] ?? "");
    },
    exemplars: async (expression) => {
      const now = Date.now() / 1_000;
      const range = `start=${now - 60}&end=${now + 1}`;
      const found = (await get(
        `query_exemplars?query=${encodeURIComponent(expression)}&${range}`,
      )) as { exemplars: { labels: Record<string, string> }[] }[];
      return found.flatMap(({ exemplars }) =>
        exemplars.map(({ labels }) => labels["trace_id"] ?? ""),
      );
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", kill);
      kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function getData(url: string): Promise<unknown> {
  const response = await fetch(url);
  const { status, data, error } = (await response.json()) as Record<string, unknown>;
  if (status !== "success") throw new Error(String(error));
  return data;
}
