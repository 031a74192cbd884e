import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FULL_KEY } from "../fake-backends.ts";
import type { GatewayFixture } from "../gateway-fixture.ts";
import { bearer, startFixture } from "../gateway-fixture.ts";
import type { CorpusRequest } from "./corpus-request.ts";
import { CORPUS } from "./corpus.ts";
import { DIFFERENCES } from "./differences.ts";
import { createSdkHandler } from "./sdk-server.ts";

/** A response without its framing and the wording of errors. */
interface Answer {
  status: number;
  /** A JSON value; undefined for no body. */
  body: unknown;
}

let fixture: GatewayFixture;
const sdk = createSdkHandler();
beforeAll(async () => void (fixture = await startFixture()));
afterAll(async () => {
  await sdk.close();
  await fixture[Symbol.asyncDispose]();
});

async function ask(request: CorpusRequest): Promise<{ ours: Answer; theirs: Answer }> {
  const { httpMethod: method, headers, body } = request;
  const init = { method, ...(body !== undefined && { body }) };
  const [ours, theirs] = await Promise.all([
    fetch(`${fixture.gateway.url}/mcp`, { ...init, headers: { ...headers, ...bearer(FULL_KEY) } }),
    sdk.fetch(new Request("http://localhost/mcp", { ...init, headers })),
  ]);
  return { ours: await answerOf(ours), theirs: await answerOf(theirs) };
}

/** The SDK answers the older era with an event stream, one event for each message. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => parse(data ?? ""));
  const body = !isStream ? parse(text) : events.length === 1 ? events[0] : events;
  return { status: response.status, body: withoutWording(body) };
}

function parse(text: string): unknown {
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** Codes whose data the specification prescribes; any other data counts as wording. */
const CODES_WITH_DATA: readonly number[] = [-32_021, -32_022];

function withoutWording(body: unknown): unknown {
  const error = (body as { error?: JsonRpcError | string } | undefined)?.error;
  if (typeof error === "string") return { error };
  if (typeof body !== "object" || error === undefined) return body;
  const { code, data } = error;
  return { ...body, error: { code, ...(CODES_WITH_DATA.includes(code) && { data }) } };
}

interface JsonRpcError {
  code: number;
  data?: unknown;
}

/** A response in a word, for the table of differences. */
function shortOf({ status, body }: Answer): string {
  const error = (body as { error?: JsonRpcError | string } | undefined)?.error;
  if (error === undefined) return String(status);
  return `${status} ${typeof error === "string" ? error : error.code}`;
}

describe("the gateway responds like the SDK's own server", () => {
  const same = CORPUS.filter(({ name }) => !(name in DIFFERENCES));

  it.each(same.map((request) => [request.name, request] as const))("to %s", async (_, request) => {
    const { ours, theirs } = await ask(request);
    expect(ours).toEqual(theirs);
  });
});

describe("the gateway responds differently, for a documented reason,", () => {
  it.each(Object.entries(DIFFERENCES))("to %s", async (name, difference) => {
    const request = CORPUS.find((one) => one.name === name);
    if (!request) throw new Error("The corpus has no such request.");
    const { ours, theirs } = await ask(request);
    expect(ours).not.toEqual(theirs);
    const { ours: shortOurs, sdk: shortTheirs } = difference;
    expect([shortOf(ours), shortOf(theirs)]).toEqual([shortOurs, shortTheirs]);
  });
});

it("at least 60 different requests are compared", () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
});
