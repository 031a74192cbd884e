import { appendFile } from "node:fs/promises";
import { join } from "node:path";

import { generateApiKey } from "@nutrition/core/api-key";
import { silentLogger } from "@nutrition/core/logger";
import { MEASURED_SERVICES } from "@nutrition/local/telemetry";
import { limitsRefusals } from "@nutrition/telemetry/metrics/nutrition";
import { startTelemetry } from "@nutrition/telemetry/start-telemetry";
import { configOf } from "@nutrition/telemetry/testing";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { beforeAll, describe, expect, it } from "vitest";

import { connectAssistant } from "./assistants.ts";
import { Browser } from "./browser.ts";
import { leaksIn, startObserved } from "./privacy.ts";
import type { Told } from "./privacy.ts";
import type { System } from "./system.ts";

/** Words that only appear in people's texts. */
const SECRETS: Record<string, string> = {
  "a food": "zabaglionelike",
  "a note of a meal": "grandmothers-secret",
  "a name of a person": "Wilhelmina",
  "a password": "correct-horse-battery",
  "a search": "privatequery",
  "an account's address": "observed.person@mail.example",
};
const SECRET = (name: string) => SECRETS[name] ?? "";

/** Everything recorded during a run with ordinary use and faults. */
let recorded: Told;
beforeAll(async () => {
  await using observed = await startObserved();
  const { system } = observed;
  const { key } = await system.account(
    SECRET("an account's address"),
    "--premium",
    "--name",
    SECRET("a name of a person"),
  );
  SECRETS["a key's secret"] = key.slice(-43);
  await useApi(system, key);
  await useTools(system, key);
  await usePages(system);
  await plantElsewhere(observed.receiver.url, system);
  recorded = await observed.end();
}, 180_000);

/** Successful reads and every kind of refused read, with the caller's text in every field. */
async function useApi(system: System, key: string): Promise<void> {
  const search = SECRET("a search");
  const others = generateApiKey().text;
  SECRETS["a key that nobody issued"] = others.slice(-43);
  await system.get("/api/v1/nutrition/summary", key);
  await system.get(`/api/v1/food-entries?start_date=${search}&limit=${search}`, key);
  await system.get(`/api/v1/${search}?q=${SECRET("an account's address")}`, key);
  await system.get(`/%zz${search}`, key);
  await system.get("/api/v1/me", others);
  await system.get(
    "/api/v1/me",
    `eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJ4In0.${"A".repeat(86)}`,
  );
  await system.fetch("/mcp", { method: "POST", body: `{"${search}`, headers: bearer(key) });
  const leaked = (await system.account("leaked.key@mail.example")).key;
  SECRETS["a key that was found in public"] = leaked.slice(-43);
  const report = { key: leaked, found_at: `https://paste.example/?k=${leaked}&k=${leaked}` };
  const reported = await system.fetch("/keys/report-leak", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(report),
  });
  expect(reported.status).toBeLessThan(300);
}

/**
 * Writes that succeed, are refused or cannot be analyzed, and references to things that do not
 * exist.
 */
async function useTools(system: System, key: string): Promise<void> {
  await using assistant = await connectAssistant(system.baseUrl, key);
  const food = `100 g apples (${SECRET("a food")})`;
  const details = SECRET("a note of a meal");
  await assistant.call("log_food", { food_text: food, detailed_description: details });
  await assistant.call("log_food", { food_text: SECRET("a food") });
  await assistant.call("log_food", { food_text: food, date: SECRET("a search") });
  await assistant.call("edit_food_item", {
    date: "2026-01-01",
    item_query: SECRET("a search"),
    replacement_text: food,
  });
  await assistant.call("get_nutrition_summary", {});
  await assistant.call(SECRET("a search"), {}).catch(() => undefined);
}

/**
 * Signs in on the pages with a wrong and the right password, and opens the pages behind the
 * sign-in.
 */
async function usePages(system: System): Promise<void> {
  const { email, password } = await system.demo();
  Object.assign(SECRETS, { "the demo's address": email, "the demo's password": password });
  const browser = new Browser(system);
  await browser.post("/sign-in", {
    email: SECRET("an account's address"),
    password: SECRET("a password"),
  });
  await browser.post("/sign-in", { email, password });
  const pages = ["/journal", "/settings/keys", "/settings/connections", "/settings/profile"];
  for (const page of pages) expect((await browser.get(page)).status, page).toBe(200);
  await browser.get(`/journal?date=${SECRET("a search")}`);
  await browser.post("/recover", { email });
  const cookies = [...browser.cookies].filter(([, value]) => value !== "");
  expect(cookies.length).toBeGreaterThan(0);
  for (const [name, value] of cookies) SECRETS[`the cookie ${name}`] = value;
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

const PLANTED = "planted.person@mail.example";

/** A span, a metric and a log line with an e-mail address, recorded like those of the services. */
async function plantElsewhere(url: string, system: System): Promise<void> {
  const telemetry = await startTelemetry({
    ...{ service: "planted", version: "1", isScraped: false, logger: silentLogger },
    config: configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
    }),
  });
  const edge = new EdgeRequest({ method: "GET", requestClass: "other", traceparent: undefined });
  edge.end({ route: "/", status: 200, attributes: { planted: `span ${PLANTED}` } });
  limitsRefusals.add(1, { "nutrition.policy": `metric ${PLANTED}` });
  await telemetry[Symbol.asyncDispose]();
  await appendFile(join(system.dataFolder, "logs", "planted.log"), `log ${PLANTED}\n`);
}

/** The records without the planted ones. */
function unplanted(): Told {
  const spoken = [...recorded].filter(([where]) => where !== "planted.log");
  return new Map(
    spoken.map(([where, text]) => [
      where,
      text.replaceAll(/(span|metric) planted\.person@mail\.example/g, ""),
    ]),
  );
}

it("records each service's log, spans and metrics", () => {
  const logs = ["postgres", ...MEASURED_SERVICES, "identity"].map((name) => `${name}.log`);
  expect([...recorded.keys()]).toEqual(expect.arrayContaining(logs));
  for (const name of [...MEASURED_SERVICES, "identity"]) {
    expect(recorded.get(`${name}.log`), name).toContain(`"service":"${name}"`);
  }
  const sent = recorded.get("spans and metrics");
  for (const name of ["LogFood", "GET /journal", "nutrition.journal.writes"]) {
    expect(sent, name).toContain(name);
  }
  for (const name of MEASURED_SERVICES) {
    expect(recorded.get(`metrics of ${name}`)).toContain(`target_info{service_name="${name}"`);
  }
  expect(recorded.get("web.log")).toContain('"route":"/sign-in"');
  expect(recorded.get("identity.log")).toContain('"route":"/token"');
  expect(recorded.get("journal.log")).toContain('"module":"rpc"');
});

it("contains no food, password, key, token or address", () => {
  expect(leaksIn(unplanted(), SECRETS)).toEqual([]);
});

describe("detects planted secrets", () => {
  it("in a log, a span and a metric", () => {
    const sent = recorded.get("spans and metrics");
    for (const channel of ["span", "metric"]) expect(sent).toContain(`${channel} ${PLANTED}`);
    expect(leaksIn(recorded, SECRETS).toSorted()).toEqual([
      "planted.log: an e-mail address",
      "spans and metrics: an e-mail address",
    ]);
  });

  it.each(Object.keys(SECRETS))("of every kind: %s", (what) => {
    const text = `{"x":"${SECRET(what).toUpperCase()}"}`;
    expect(leaksIn(new Map([["here", text]]), SECRETS)).toContain(`here: ${what}`);
  });
});
