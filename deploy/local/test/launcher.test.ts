import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { DEMO_DAYS } from "../src/demo-journal.ts";
import { findFreePorts } from "../src/ports.ts";
import { isAlive } from "../src/processes.ts";
import { entriesOf, Launched } from "./launched.ts";

const START_TIMEOUT_MS = 90_000;
const RESTART_TIMEOUT_MS = 15_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "launcher-"));
  // As root, PostgreSQL runs under another account, which needs access to its data.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a running journal", { timeout: 2 * RESTART_TIMEOUT_MS }, () => {
  let journal: Launched;
  let get: (path: string) => Promise<Response>;

  beforeAll(async () => {
    const [port] = await findFreePorts(1);
    journal = new Launched(join(folder, "shared"), { PORT: String(port) });
    await journal.untilReady();
    const { base_url, api_key } = await journal.demo();
    const headers = { authorization: `Bearer ${api_key}`, connection: "close" };
    get = (path) => fetch(`${base_url}${path}`, { headers });
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    journal.child.kill("SIGTERM");
    await journal.exited;
  });

  test("answers the curl command from the banner as printed", async () => {
    const line = journal.output.split("\n").find((text) => text.trimStart().startsWith("curl "));
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", line ?? "false"]);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { calories: expect.any(Number) } });
  });

  test("logs food for an assistant with the MCP configuration of the banner", async () => {
    const printed = /\{\n\s*"mcpServers"[^]*?\n {2}\}/.exec(journal.output)?.[0] ?? "";
    const { mcpServers } = JSON.parse(printed) as {
      mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
    };
    const [server] = Object.values(mcpServers);
    const response = await fetch(server?.url ?? "", {
      method: "POST",
      headers: {
        ...server?.headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        connection: "close",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "log_food", arguments: { food_text: "250 ml orange juice" } },
      }),
    });
    const reply = (await response.json()) as { result?: { isError?: boolean; content: object[] } };
    expect(reply.result, JSON.stringify(reply)).toBeDefined();
    expect(reply.result?.isError ?? false, JSON.stringify(reply)).toBe(false);
  });

  test("has the demo's 60 days of journal, with goals and weights", async () => {
    expect(await entriesOf(journal)).toHaveLength(DEMO_DAYS);
    expect(journal.output).not.toContain("Skipped in the demo");
    const weights = (await (await get("/api/v1/weight-history?limit=100")).json()) as {
      entries: object[];
    };
    expect(weights.entries.length).toBeGreaterThan(15);
    expect(await (await get("/api/v1/me")).json()).toMatchObject({
      settings: { nutrition_goals: { calories: 1_900 } },
    });
  });

  test("keeps its files from other accounts", async () => {
    for (const name of ["demo.json", "secrets.json", "identity.json", "run/admin.json"]) {
      const { mode } = await stat(join(journal.dataFolder, name));
      expect(mode & 0o077, name).toBe(0);
    }
  });

  test("refuses a second launcher on the same data and says where the first is", async () => {
    const second = new Launched(journal.dataFolder);
    expect(await second.exited).toBe(1);
    const { base_url } = await journal.demo();
    expect(second.output).toContain(`It is already running, at ${base_url}`);
  });

  test.each(["limits", "journal"])(
    "answers 503 while %s is down, and 200 soon after",
    async (name) => {
      await kill(name);
      const during = await get("/api/v1/nutrition/summary");
      expect(during.status).toBe(503);
      expect(await during.json()).toEqual({
        error: "service_unavailable",
        message: expect.any(String),
      });
      await untilSummary();
    },
  );

  test("signs the demo account in at the identity provider that the MCP endpoint names", async () => {
    const { email, password } = await journal.demo();
    const named = await get("/.well-known/oauth-protected-resource/mcp");
    const { authorization_servers } = (await named.json()) as { authorization_servers: string[] };
    const response = await fetch(`${authorization_servers[0]}/token?grant_type=password`, {
      method: "POST",
      headers: { connection: "close" },
      body: JSON.stringify({ email, password }),
    });
    expect(await response.json()).toMatchObject({ user: { email, user_metadata: {} } });
    expect(journal.output).toContain(email);
    expect(journal.output).not.toContain(password);
  });

  test.each(["auth", "analysis", "identity", "web"])(
    "restarts %s after it was killed",
    async (name) => {
      const { pid } = await kill(name);
      const current = async () => (await journal.processes())[name]?.pid;
      await expect.poll(current, { timeout: RESTART_TIMEOUT_MS }).not.toBe(pid);
      await untilSummary();
    },
  );

  test("restarts the gateway at once after it was killed", async () => {
    await kill("gateway");
    const isSaid = () => journal.output.includes("gateway has exited; restarting it in 0.1 s");
    await expect.poll(isSaid, { timeout: RESTART_TIMEOUT_MS }).toBe(true);
    await untilSummary();
  });

  test("recovers after PostgreSQL was killed", async () => {
    process.kill(await journal.postgresPid(), "SIGKILL");
    await untilSummary();
  });

  async function kill(name: string) {
    const killed = (await journal.processes())[name];
    if (!killed) throw new Error(`There is no process of ${name}.`);
    process.kill(killed.pid, "SIGKILL");
    await expect.poll(() => isAlive(killed.pid)).toBe(false);
    return killed;
  }

  function untilSummary() {
    const status = () => get("/api/v1/nutrition/summary").then((response) => response.status);
    return expect.poll(status, { timeout: RESTART_TIMEOUT_MS, interval: 250 }).toBe(200);
  }
});
