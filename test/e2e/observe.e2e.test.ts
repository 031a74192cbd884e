import type { Overview } from "@nutrition/observe/views/overview";
import type { RequestView } from "@nutrition/observe/views/request";
import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectAssistant } from "./assistants.ts";
import { System } from "./system.ts";

/** A read through all services but analysis. */
const PROFILE = "/api/v1/me";
const CODE_WORD = "zabaglionelike";
const ARRIVAL_MS = 20_000;

let system: System;
let viewerUrl: string;
let key: string;

beforeAll(async () => {
  // A collector configured by the person, which must receive nothing.
  const elsewhere = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  system = await System.start(elsewhere, ["--observe"]);
  viewerUrl = /Observe {2}(http:\S+)/.exec(system.output)?.[1] ?? "";
  key = (await system.demo()).api_key;
}, 120_000);
afterAll(() => system[Symbol.asyncDispose]());

async function overview(): Promise<Overview> {
  return (await (await fetch(`${viewerUrl}/api/overview`)).json()) as Overview;
}

async function spansOf({ traceId }: RequestView): Promise<ReceivedSpan[]> {
  const response = await fetch(`${viewerUrl}/api/requests/${traceId}`);
  return ((await response.json()) as { spans: ReceivedSpan[] }).spans;
}

/** Spans whose parent is missing. */
function looseEnds(spans: readonly ReceivedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const loose = spans.filter(({ parentSpanId }) => parentSpanId !== "" && !ids.has(parentSpanId));
  return loose.map(({ service, name }) => `${service}: ${name}`);
}

/** The newest request of this kind, once all spans of these services have arrived. */
async function requestThrough(
  services: readonly string[],
  isIt: (request: RequestView) => boolean,
): Promise<ReceivedSpan[]> {
  let spans: ReceivedSpan[] = [];
  const arrived = async () => {
    const request = (await overview()).requests.find(isIt);
    spans = request ? await spansOf(request) : [];
    const through = [...new Set(spans.map(({ service }) => service))].sort();
    return { through, looseEnds: looseEnds(spans) };
  };
  await expect
    .poll(arrived, { timeout: ARRIVAL_MS })
    .toEqual({ through: services.toSorted(), looseEnds: [] });
  expect(spans.filter(({ parentSpanId }) => parentSpanId === "")).toHaveLength(1);
  return spans;
}

/** Services with a statement in the trace. */
function statementsIn(spans: readonly ReceivedSpan[]): string[] {
  const statements = spans.filter(({ attributes }) => attributes["db.system.name"]);
  return statements.map(({ service }) => service);
}

describe("npm start -- --observe shows one connected trace through all services", () => {
  it("of a read over REST", async () => {
    expect((await system.get(PROFILE, key)).status).toBe(200);
    const spans = await requestThrough(
      ["gateway", "auth", "limits", "journal"],
      ({ name, status }) => name === `GET ${PROFILE}` && status === 200,
    );
    expect(statementsIn(spans)).toEqual(expect.arrayContaining(["auth", "journal", "limits"]));
  }, 60_000);

  it("of food logged by an assistant", async () => {
    await using assistant = await connectAssistant(system.baseUrl, key);
    const args = { food_text: "2 eggs", detailed_description: `with ${CODE_WORD}` };
    const { isError, text } = await assistant.call("log_food", args);
    expect(isError, text).toBe(false);
    const spans = await requestThrough(
      ["gateway", "auth", "limits", "journal", "analysis"],
      ({ message, error }) => message === "log_food" && error === undefined,
    );
    expect(statementsIn(spans)).toEqual(expect.arrayContaining(["auth", "journal", "limits"]));
  }, 60_000);
});

it("shows routes, and what each service did", async () => {
  const routes = async () => (await overview()).routes.map(({ name }) => name);
  await expect.poll(routes, { timeout: ARRIVAL_MS }).toContain("log_food");
  const busy = async () =>
    (await overview()).services.filter(({ requests }) => requests > 0).map(({ name }) => name);
  await expect
    .poll(busy, { timeout: ARRIVAL_MS })
    .toEqual(expect.arrayContaining(["analysis", "auth", "gateway", "journal", "limits"]));
}, 60_000);

it("shows neither food nor keys nor addresses", async () => {
  const { requests } = await overview();
  const paths = ["/", "/api/overview", ...requests.map(({ traceId }) => `/requests/${traceId}`)];
  const pages = await Promise.all(
    paths.map(async (path) => (await fetch(viewerUrl + path)).text()),
  );
  const { email } = await system.demo();
  for (const secret of [CODE_WORD, "2 eggs", key, key.slice(-20), email]) {
    expect(pages.join("\n").includes(secret), secret).toBe(false);
  }
});

it("stops together with the services", async () => {
  await system.stop();
  await expect(fetch(viewerUrl)).rejects.toThrow("fetch failed");
}, 30_000);
