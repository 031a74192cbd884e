import { request } from "node:http";
import { connect } from "node:net";

import { create, toBinary } from "@bufbuild/protobuf";
import { ExportTraceRequestSchema } from "@nutrition/proto/otlp/v1/otlp_pb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { spanIdOf, traceIdOf } from "../src/testing.ts";
import { type RunningViewer, startViewer } from "../src/viewer.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror='alert(2)'>"`;
const PROTOBUF = "application/x-protobuf";

let viewer: RunningViewer;
beforeAll(async () => {
  viewer = await startViewer({ port: 0 });
});
afterAll(() => viewer[Symbol.asyncDispose]());

interface Given {
  method?: string;
  host?: string;
  type?: string;
  body?: Uint8Array;
}

/** A request with an arbitrary Host header, which `fetch` does not allow. */
function ask(path: string, { method = "GET", host = viewer.address, type, body }: Given = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const headers = { host, connection: "close", ...(type ? { "content-type": type } : {}) };
      const sent = request(`http://${viewer.address}${path}`, { method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on("error", reject).end(body);
    },
  );
}

/** The export of a service for one request, with the same text in every free field. */
function exported(trace: number, text: string): Uint8Array {
  const attribute = (key: string) => ({
    key,
    value: { value: { case: "stringValue" as const, value: text } },
  });
  const span = {
    traceId: Buffer.from(traceIdOf(trace), "hex"),
    spanId: Buffer.from(spanIdOf(1), "hex"),
    name: text,
    startTimeUnixNano: 1_000_000n,
    endTimeUnixNano: 3_000_000n,
    attributes: [attribute(text), attribute("error.type"), attribute("mcp.method.name")],
    events: [{ name: text, attributes: [attribute(text)] }],
    links: [{ traceId: Buffer.from(text) }],
  };
  const resource = { attributes: [attribute("service.name")] };
  return toBinary(
    ExportTraceRequestSchema,
    create(ExportTraceRequestSchema, {
      resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }],
    }),
  );
}

function send(given: Given): Promise<{ status: number }> {
  return ask("/v1/traces", { method: "POST", type: PROTOBUF, ...given });
}

describe("the text of a span", () => {
  const path = `/requests/${traceIdOf(7)}`;
  beforeAll(async () => {
    expect((await send({ body: exported(7, HOSTILE) })).status).toBe(200);
  });

  test.each(["/", path])("cannot become markup on %s", async (page) => {
    const { status, text } = await ask(page);
    expect(status).toBe(200);
    expect(text).toContain("&lt;script&gt;alert(1)");
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<img");
    expect(text).not.toMatch(/="[^"]*<script/);
  });

  test("is returned unchanged as data", async () => {
    const { text, headers } = await ask(`/api${path}`);
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(JSON.parse(text)).toMatchObject({ spans: [{ name: HOSTILE, durationMs: 2 }] });
  });
});

test.each(["/", `/requests/${traceIdOf(7)}`, "/nowhere"])(
  "%s loads nothing from elsewhere, enforced by the browser",
  async (page) => {
    const { headers, text } = await ask(page);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(text.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull();
    expect(text).not.toMatch(/<style|style="/);
  },
);

describe("a page of another site that uses DNS rebinding", () => {
  const hosts = [
    "evil.example",
    "127.0.0.1.evil.example:4318",
    "localhost@evil.example",
    "0.0.0.0:4318",
  ];
  test.each(hosts)("cannot read anything as host %j", async (host) => {
    for (const path of ["/", "/api/overview", "/page.css", `/api/requests/${traceIdOf(7)}`]) {
      const { status, text } = await ask(path, { host });
      expect(status, path).toBe(421);
      expect(text).not.toContain("script&gt;");
    }
  });

  test("cannot write anything", async () => {
    const body = exported(8, "forged");
    expect((await send({ host: "evil.example", body })).status).toBe(421);
    expect((await ask(`/requests/${traceIdOf(8)}`)).status).toBe(404);
  });
});

test.each(["localhost", "127.0.0.1", "[::1]"])("the page is served as %s", async (name) => {
  expect((await ask("/", { host: `${name}:1` })).status).toBe(200);
});

test.each(["text/plain", "application/x-www-form-urlencoded", undefined])(
  "a page of another site cannot post spans as %s",
  async (type) => {
    const given = { method: "POST", body: exported(9, "forged"), ...(type ? { type } : {}) };
    expect((await ask("/v1/traces", given)).status).toBe(415);
    expect((await ask(`/requests/${traceIdOf(9)}`)).status).toBe(404);
  },
);

test.each([
  ["that is not OTLP", Buffer.from("nonsense"), 400],
  ["that is too large", Buffer.alloc(8_000_001), 413],
])("refuses a body %s and continues", async (_, body, status) => {
  // The viewer may close the connection on a body that it refuses.
  const refused = await send({ body }).then(
    (answer) => answer.status,
    () => status,
  );
  expect(refused).toBe(status);
  expect((await ask("/")).status).toBe(200);
});

test("supports only GET and OTLP's POST", async () => {
  expect((await ask("/", { method: "DELETE" })).status).toBe(405);
  expect((await ask("/", { method: "POST", type: PROTOBUF, body: Buffer.alloc(0) })).status).toBe(
    404,
  );
});

test("serves newcomers however many idle connections there are", async () => {
  const { hostname, port } = new URL(`http://${viewer.address}`);
  const open = () => connect(Number(port), hostname).on("error", () => {});
  const idle = Array.from({ length: 200 }, open);
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.on("connect", resolve))));
  expect(await ask("/")).toMatchObject({ status: 200 });
  for (const socket of idle) socket.destroy();
});
