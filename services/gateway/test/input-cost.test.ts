import { globSync, readFileSync } from "node:fs";
import { Agent, request as sendRequest } from "node:http";
import { join } from "node:path";

import {
  LONG_CHARACTERS,
  REPEATED,
  costlyTexts,
  filled,
  isCostly,
} from "@nutrition/test-support/input-cost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { REST_READS, TOOL_OPERATIONS } from "../src/operations/operations.ts";
import { LEAK_REPORT_PATH } from "../src/routes/leak-report.ts";
import { PASSED_HEADERS } from "../src/routes/page-routes.ts";
import { REST_BASE } from "../src/routes/rest-routes.ts";
import { FULL_KEY } from "./fake-backends.ts";
import type { FakeWeb } from "./fake-web.ts";
import { startFakeWeb } from "./fake-web.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { callTool, older, post, postModern } from "./mcp-fixture.ts";

/** The server refuses longer headers, and so longer addresses. */
const HEADER_CHARACTERS = 28_000;
/** As many short members as the largest body has room for. */
const MEMBERS = 20_000;

let web: FakeWeb;
let fixture: GatewayFixture;
beforeAll(async () => {
  web = await startFakeWeb();
  fixture = await startFixture({ config: { webUrl: web.url, trustProxyHops: 1 } });
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** A GET with header values that `fetch` would refuse to send. */
function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  const all = { ...bearer(FULL_KEY), ...headers };
  return new Promise((resolve, reject) => {
    const sent = sendRequest(fixture.gateway.url + path, { headers: all, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end();
  });
}

/** Names of request headers that the gateway's code mentions, and those that its libraries read. */
function headersRead(): string[] {
  const folder = join(import.meta.dirname, "../src");
  const files = globSync("**/*.ts", { cwd: folder }).filter((file) => !file.endsWith(".test.ts"));
  const code = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const read = /(?:\bget|textOf)\("(?<called>[a-z-]+)"\)|headers(?:\["|\.)(?<member>[a-z-]+)/g;
  const names = [...code.matchAll(read)].map(
    ({ groups }) => groups?.["called"] ?? groups?.["member"],
  );
  const byLibraries = "cache-control if-modified-since if-none-match range x-forwarded-proto".split(
    " ",
  );
  return [
    ...new Set([
      ...names,
      ...PASSED_HEADERS.keys(),
      ...byLibraries,
      "x-forwarded-host",
      "x-unknown",
    ]),
  ].filter((name): name is string => name !== undefined && !FRAMING.has(name));
}

/** Node reads these itself, and refuses such values before any code of ours runs. */
const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

const IN_HEADERS = REPEATED.filter((text) => /^[\x20-\x7e]+$/.test(text));

describe("no header costs more than its length", () => {
  const paths = ["/journal", `${REST_BASE}/me`, "/docs"];

  it.each(headersRead())("%s", async (name) => {
    for (const [at, path] of paths.entries()) {
      const texts = IN_HEADERS.filter((_, index) => index % paths.length === at);
      const read = (text: string) => get(path, { [name]: `a${text}a` });
      expect(await costlyTexts(read, HEADER_CHARACTERS, texts), path).toEqual([]);
    }
  });
});

describe("no address costs more than its length", () => {
  const parameters = REST_READS.flatMap(({ path, input }) =>
    [...Object.keys(input.shape), "unknown"].map((name) => `${REST_BASE}${path}?${name}=`),
  );
  it.each([...parameters, `${REST_BASE}/me?`, "/", "/docs/", "/settings/", "/.well-known/"])(
    "%s",
    async (address) => {
      const read = (text: string) => get(address + encodeURI(text).slice(0, HEADER_CHARACTERS));
      expect(await costlyTexts(read, HEADER_CHARACTERS)).toEqual([]);
    },
  );
});

describe("no input of a tool costs more than its length", () => {
  const inputs = TOOL_OPERATIONS.flatMap(({ name, input, example }) =>
    [...Object.keys(input.shape), "unknown"].map((field) => ({
      name,
      field,
      given: example.input,
    })),
  );

  it.each(inputs)("$name: $field", async ({ name, field, given }) => {
    const read = (text: string) => callTool(fixture, name, { ...given, [field]: text });
    expect(await costlyTexts(read)).toEqual([]);
  });

  it.each(inputs)("$name: many members in $field", async ({ name, field, given }) => {
    const read = (text: string) =>
      callTool(fixture, name, { ...given, [field]: Array.from(text, () => "") });
    expect(await isCostly("a", read, MEMBERS)).toBe(false);
  });

  it.each(TOOL_OPERATIONS.map(({ name, example }) => ({ name, given: example.input })))(
    "$name: the name and the number of unknown inputs",
    async ({ name, given }) => {
      const one = (text: string) => callTool(fixture, name, { ...given, [text]: 1 });
      expect(await costlyTexts(one)).toEqual([]);
      const many = (text: string) => {
        const unknown = Array.from(text, (_, at) => [`u${at}`, 1]);
        return callTool(fixture, name, { ...given, ...Object.fromEntries(unknown) });
      };
      expect(await isCostly("a", many, MEMBERS)).toBe(false);
    },
  );
});

describe("no part of a message costs more than its length", () => {
  const requests: Readonly<Record<string, (text: string) => unknown>> = {
    "the method": (text) => post(fixture, older(text)),
    "the name of a tool": (text) => post(fixture, older("tools/call", { name: text })),
    "the address of a resource": (text) => post(fixture, older("resources/read", { uri: text })),
    "a cursor": (text) => post(fixture, older("tools/list", { cursor: text })),
    "the version of a handshake": (text) =>
      post(fixture, older("initialize", { protocolVersion: text })),
    "the version of a message": (text) =>
      postModern(fixture, {
        method: "ping",
        params: { _meta: { "io.modelcontextprotocol/protocolVersion": text } },
      }),
    "the id": (text) => post(fixture, { ...older("ping"), id: text }),
    "the number of messages": (text) =>
      post(
        fixture,
        Array.from(text, () => 1),
      ),
    depth: (text) => fixture.send("/mcp", { method: "POST", headers: JSON_HEADERS, body: text }),
  };
  const JSON_HEADERS = { ...bearer(FULL_KEY), "content-type": "application/json" };

  it.each(Object.entries(requests))("%s", async (_, read) => {
    expect(await costlyTexts(read)).toEqual([]);
  });

  it.each(["key", "found_at"])("%s of a leak report", async (field) => {
    let reports = 0;
    const read = (text: string) => {
      reports += 1;
      const headers = {
        "content-type": "application/json",
        // A network of its own for each, because a network may send ten.
        "x-forwarded-for": `10.${reports >> 8}.${reports & 255}.1`,
      };
      const body = JSON.stringify({ key: "x", [field]: text }).slice(0, 4_096);
      return fixture.send(LEAK_REPORT_PATH, { method: "POST", headers, body });
    };
    expect(await costlyTexts(read)).toEqual([]);
  });
});

it("shows an input that costs the square of its length", async () => {
  const square = (text: string) => {
    let found = 0;
    for (let at = 0; at < text.length; at += 1) found += text.lastIndexOf("b", at);
    return found;
  };
  expect(await isCostly("a", square)).toBe(true);
  expect(filled("ab", LONG_CHARACTERS)).toHaveLength(LONG_CHARACTERS);
});
