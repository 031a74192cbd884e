import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { DOCS } from "@nutrition/gateway/docs/paths";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { System } from "../e2e/system.ts";
import { recordSession } from "../recording/session.ts";
import type { Example } from "./site.ts";
import { PLACEHOLDER, readExamples, readJson } from "./site.ts";

const README = join(import.meta.dirname, "../../README.md");

const isWithout = (program: string) => spawnSync(program, ["--version"]).status !== 0;

describe("the examples of the documentation, in a running system", () => {
  let system: System;
  let key: string;
  let examples: Example[];
  beforeAll(async () => {
    system = await System.start();
    key = (await system.demo()).api_key;
    examples = await readExamples(system);
  }, 90_000);
  afterAll(() => system[Symbol.asyncDispose]());

  const labelled = (label: string, path?: string) =>
    examples.filter((one) => one.label === label && (path === undefined || one.path === path));
  const only = (label: string) => {
    const found = labelled(label);
    expect(found, label).toHaveLength(1);
    return found[0]?.code ?? "";
  };

  /** Runs code in its interpreter and returns what it prints. */
  function run(program: string, args: readonly string[], apiKey = key): string {
    const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], API_KEY: apiKey };
    const done = spawnSync(program, args, { env, encoding: "utf8", timeout: 30_000 });
    expect(done.status, `${args.join(" ")}\n${done.stderr}`).toBe(0);
    return done.stdout;
  }
  const runCurl = (code: string) =>
    run("bash", ["-c", code.replace("curl ", "curl --silent --show-error --fail ")]);
  const runJavaScript = (code: string) =>
    run(process.execPath, ["--input-type=module", "--eval", code]);
  const runPython = (code: string) => run("python3", ["-c", code]);

  it("name this system, and no other address", () => {
    expect(examples.length).toBeGreaterThan(30);
    const addresses = examples.flatMap(({ code }) => code.match(/https?:\/\/[^/"\s]+/g) ?? []);
    expect(new Set(addresses)).toEqual(new Set([system.baseUrl]));
  });

  it("stand beside links that lead somewhere", async () => {
    const links = new Set<string>();
    for (const path of [...Object.values(DOCS), "/privacy"]) {
      const { body } = await system.fetch(path, {});
      for (const [, link = ""] of String(body).matchAll(/href="(\/[^"#]*)/g)) links.add(link);
    }
    expect([...links]).toEqual(expect.arrayContaining(["/settings/keys", "/settings/export"]));
    for (const link of links) {
      const { status } = await fetch(system.baseUrl + link, { redirect: "manual" });
      expect([200, 303], link).toContain(status);
    }
    expect((await system.fetch("/settings/nothing", {})).status).toBe(404);
  });

  it.skipIf(isWithout("curl"))("in curl answer JSON", () => {
    const found = labelled("curl");
    expect(found).toHaveLength(7);
    for (const { code } of found) expect(JSON.parse(runCurl(code)), code).toBeTypeOf("object");
  });

  it("in JavaScript print the answer", () => {
    const found = labelled("JavaScript").filter(({ code }) => !code.includes("function"));
    expect(found).toHaveLength(5);
    for (const { code } of found) expect(runJavaScript(code)).toMatch(/totals|entries|profile/);
  });

  it.skipIf(isWithout("python3"))("in Python print the answer", () => {
    const found = labelled("Python").filter(({ code }) => !code.includes("def "));
    expect(found).toHaveLength(5);
    for (const { code } of found) expect(JSON.parse(runPython(code))).toBeTypeOf("object");
  });

  it.each(["JavaScript", "Python"])(
    "in %s read a long range whole, page by page",
    async (label) => {
      if (label === "Python" && isWithout("python3")) return;
      const { code = "" } =
        labelled(label).find(
          (one) =>
            one.code.includes("start_date: first") || one.code.includes("def entries_between"),
        ) ?? {};
      const paged = code.replace(/(limit"?: "?)90/, "$125");
      expect(paged).not.toBe(code);
      const { entries } = (await readJson(
        `${system.baseUrl}/api/v1/food-entries?start_date=2026-01-01&end_date=2026-12-31&limit=90`,
        `Bearer ${key}`,
      )) as { entries: { date: string; totals: { calories: number } }[] };
      expect(entries.length).toBeGreaterThan(50);
      const printed = (label === "Python" ? runPython : runJavaScript)(paged);
      const days = printed
        .trim()
        .split("\n")
        .map((line) => line.split(" "));
      expect(days.map(([date]) => date)).toEqual(entries.map(({ date }) => date));
      expect(days.map(([, kcal]) => Number(kcal))).toEqual(
        entries.map(({ totals }) => totals.calories),
      );
    },
  );

  it("of tools do what they say, one after the other, in a new journal", async () => {
    const { key: writer } = await system.account("examples@example.com", "--premium");
    const configuration = JSON.parse(only("Configuration of an MCP client")) as {
      mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
    };
    const [server] = Object.values(configuration.mcpServers);
    const call = async (params: object) => {
      const headers = {
        "content-type": "application/json",
        authorization: server?.headers["Authorization"]?.replace(PLACEHOLDER, writer) ?? "",
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const response = await fetch(server?.url ?? "", { method: "POST", headers, body });
      return (await response.json()) as {
        result: { isError?: boolean; structuredContent: object };
      };
    };
    const { result } = await call({
      name: "log_food",
      arguments: { food_text: "1 slice of toast", date: "2026-11-21" },
    });
    expect(result.isError).not.toBe(true);
    const calls = labelled("params of tools/call").map(({ code }) => JSON.parse(code) as object);
    expect(calls).toHaveLength(8);
    for (const params of calls) {
      const answer = await call(params);
      expect(answer.result.isError, JSON.stringify(answer)).not.toBe(true);
      expect(answer.result.structuredContent).toBeTypeOf("object");
    }
  });

  it("of README work as they are written", () => {
    const commands =
      readFileSync(README, "utf8").match(/^curl [^|\n]*127\.0\.0\.1[^|\n]*$/gm) ?? [];
    expect(commands).toHaveLength(5);
    for (const command of commands) {
      const code = command
        .replace("http://127.0.0.1:3000", system.baseUrl)
        .replace("$KEY", "$API_KEY");
      expect(JSON.parse(runCurl(code)), command).toBeTypeOf("object");
    }
  });

  it.skipIf(isWithout("jq"))("of README's recording log food and read the totals", async () => {
    const [logged, totals] = (await recordSession(system)).slice(-2).map(({ output }) => output);
    expect(logged).toMatch(/^Logged on .*\n- 2 scrambled eggs: /);
    expect(JSON.parse(totals ?? "")).toMatchObject({ calories: expect.any(Number) });
  });
});
