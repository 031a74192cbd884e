import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "example-service.ts");
const GOOD = { EXAMPLE_PORT: "4700", EXAMPLE_SECRET: "hunter2" };

interface Run {
  child: ChildProcess;
  /** Resolves with the port for probes. */
  operationsPort: Promise<number>;
  /** Resolves when the service is ready. */
  ready: Promise<void>;
  /** The exit code and the whole log. */
  ended: Promise<{ code: number | null; log: string }>;
}

function run(env: NodeJS.ProcessEnv, ...args: string[]): Run {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let log = "";
  const operationsPort = Promise.withResolvers<number>();
  const ready = Promise.withResolvers<void>();
  const stdout = child.stdout as Readable;
  for (const stream of [stdout, child.stderr as Readable]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const port = /"port":(\d+),"msg":"answering probes"/.exec(log)?.[1];
      if (port !== undefined) operationsPort.resolve(Number(port));
      if (log.includes('"ready"')) ready.resolve();
    });
  }
  const ended = Promise.all([once(child, "exit"), once(stdout, "end")]).then(() => ({
    code: child.exitCode,
    log,
  }));
  return { child, operationsPort: operationsPort.promise, ready: ready.promise, ended };
}

/** Its output on a terminal, which util-linux's `script` provides. */
function onTerminal(settings: NodeJS.ProcessEnv): string {
  const command = `"${process.execPath}" "${MAIN}" --check-config`;
  const env = { PATH: process.env["PATH"], TERM: "xterm-256color", ...GOOD, ...settings };
  return spawnSync("script", ["-qec", command, "/dev/null"], { env, encoding: "utf8" }).stdout;
}

async function probe(port: number, path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
}

describe("a service", () => {
  it("stops cleanly when told to", async () => {
    const { child, ready, ended } = run(GOOD);
    await ready;
    child.kill("SIGTERM");
    const { code, log } = await ended;
    expect(code).toBe(0);
    expect(log).toContain('"cause":"SIGTERM"');
  });

  it("stops when its parent process is gone", async () => {
    const { child, ready, ended } = run(GOOD);
    await ready;
    child.disconnect();
    expect((await ended).code).toBe(0);
  });

  it("names all invalid variables at once, shows no value, and opens nothing", async () => {
    const { ended } = run({ EXAMPLE_PORT: "hunter2" });
    const { code, log } = await ended;
    expect(code).toBe(1);
    expect(log).toContain("EXAMPLE_PORT");
    expect(log).toContain("EXAMPLE_SECRET");
    expect(log).not.toContain("hunter2");
    expect(log).not.toContain('"ready"');
  });

  it("only checks its configuration when asked to", async () => {
    const { code, log } = await run(GOOD, "--check-config").ended;
    expect(code).toBe(0);
    expect(log).toContain("valid");
    expect(log).not.toContain('"ready"');
    expect((await run({}, "--check-config").ended).code).toBe(1);
  });

  it("reports readiness while it accepts work, and liveness until it has stopped", async () => {
    const settings = { ...GOOD, OPERATIONS_PORT: "0", EXAMPLE_WAITS: "true" };
    const { child, operationsPort, ready, ended } = run(settings);
    const port = await operationsPort;
    expect(await probe(port, "/livez")).toBe(200);
    expect(await probe(port, "/readyz")).toBe(503);
    child.send("start");
    await ready;
    const details = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(details.status).toBe(200);
    expect(await details.json()).toEqual({
      status: "ready",
      database: [{ condition: "disk_full" }],
    });
    child.kill("SIGTERM");
    await expect.poll(() => probe(port, "/readyz")).toBe(503);
    expect(await probe(port, "/livez")).toBe(200);
    child.send("stop");
    expect((await ended).code).toBe(0);
  });

  it("is alive but not ready, and can be stopped, while a prerequisite is missing", async () => {
    const settings = { ...GOOD, OPERATIONS_PORT: "0", EXAMPLE_NEEDS: "true" };
    const { child, operationsPort, ended } = run(settings);
    const port = await operationsPort;
    expect(await probe(port, "/livez")).toBe(200);
    expect(await probe(port, "/readyz")).toBe(503);
    child.kill("SIGTERM");
    const { code, log } = await ended;
    expect(code).toBe(0);
    expect(log).not.toContain('"ready"');
  });

  it("starts once its prerequisite is available", async () => {
    const settings = { ...GOOD, OPERATIONS_PORT: "0", EXAMPLE_NEEDS: "true" };
    const { child, operationsPort, ready, ended } = run(settings);
    const port = await operationsPort;
    child.send("prerequisite available");
    await ready;
    expect(await probe(port, "/readyz")).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  it("serves its metrics beside the probes, and nothing else", async () => {
    const { child, operationsPort, ready, ended } = run({ ...GOOD, OPERATIONS_PORT: "0" });
    const port = await operationsPort;
    await ready;
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.headers.get("content-type")).toContain("application/openmetrics-text");
    const text = await response.text();
    expect(text).toMatch(/^target_info\{service_name="example"/m);
    expect(text).toContain('http_server_request_duration_seconds_count{http_route="/example"');
    expect(await probe(port, "/")).toBe(404);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  it("serves no metrics when telemetry is disabled", async () => {
    const settings = { ...GOOD, OPERATIONS_PORT: "0", OTEL_SDK_DISABLED: "true" };
    const { child, operationsPort, ready, ended } = run(settings);
    const port = await operationsPort;
    await ready;
    expect(await probe(port, "/metrics")).toBe(404);
    expect(await probe(port, "/readyz")).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  it("explains invalid log settings, and starts nothing", async () => {
    const { code, log } = await run({ ...GOOD, LOG_LEVEL: "loud", LOG_FORMAT: "yaml" }).ended;
    expect(code).toBe(1);
    expect(log).toContain("LOG_LEVEL: a level must be one of debug, info, warn, error");
    expect(log).toContain("LOG_FORMAT: must be json or text");
    expect(log).not.toContain('"ready"');
  });

  it("logs at its level, and each part at its own", async () => {
    const { log } = await run({ ...GOOD, LOG_LEVEL: "warn,outbox=debug" }, "--check-config").ended;
    expect(log).toBe("");
    const { child, ready, ended } = run({ ...GOOD, LOG_LEVEL: "outbox=debug" });
    await ready;
    child.kill("SIGTERM");
    const lines = (await ended).log.trim().split("\n");
    const records = lines.map((line) => JSON.parse(line) as { msg: string; module?: string });
    expect(records.map(({ msg, module }) => [msg, module])).toEqual([
      ["looking", "outbox"],
      ["ready", undefined],
      ["stopping", undefined],
    ]);
  });

  it("logs JSON unless asked for text or on a terminal", async () => {
    const json = await run(GOOD, "--check-config").ended;
    expect(JSON.parse(json.log)).toMatchObject({ level: 30, service: "example" });
    const text = await run({ ...GOOD, LOG_FORMAT: "text" }, "--check-config").ended;
    expect(text.log).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} example {2}info {2}the configuration is valid\n$/,
    );
    expect(onTerminal({})).toContain("example  \x1b[32minfo \x1b[0m the configuration is valid");
    expect(onTerminal({ NO_COLOR: "1" })).toContain("example  info  the configuration is valid");
    expect(onTerminal({ LOG_FORMAT: "json" })).toContain('"msg":"the configuration is valid"');
  });

  it("says why it could not start", async () => {
    const { code, log } = await run({ ...GOOD, EXAMPLE_PORT: "1" }).ended;
    expect(code).toBe(1);
    expect(log).toContain("port 1 is reserved");
  });
});

describe("telemetry of a service", () => {
  const observedBy = (url: string) => ({
    ...GOOD,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER_ARG: "1",
  });

  it("is flushed when the service is told to stop", async () => {
    await using receiver = await startOtlpReceiver();
    const { child, ready, ended } = run(observedBy(receiver.url));
    await ready;
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(receiver.spans).toMatchObject([{ name: "GET /example", service: "example" }]);
    expect(receiver.series.map(({ name }) => name)).toContain("http.server.request.duration");
  });

  it("delays the service's exit by a bounded time when the collector never answers", async () => {
    await using receiver = await startOtlpReceiver({ answer: () => {} });
    const { child, ready, ended } = run(observedBy(receiver.url));
    await ready;
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  it("is not started when its configuration is invalid", async () => {
    const { code, log } = await run({ ...GOOD, OTEL_TRACES_SAMPLER_ARG: "2" }).ended;
    expect(code).toBe(1);
    expect(log).toContain("OTEL_TRACES_SAMPLER_ARG");
  });
});
