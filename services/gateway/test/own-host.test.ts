import { Agent, request } from "node:http";
import type { IncomingHttpHeaders, RequestOptions } from "node:http";
import { connect } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import type { FakeWeb } from "./fake-web.ts";
import { startFakeWeb } from "./fake-web.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

const PUBLIC = "https://journal.example.com";
const KEY = bearer(FULL_KEY);
const BROWSER = { accept: "text/html,*/*;q=0.8" };

let web: FakeWeb;
let fixture: GatewayFixture;
beforeAll(async () => {
  web = await startFakeWeb();
  fixture = await startFixture({
    config: { webUrl: web.url, baseUrl: PUBLIC, allowedHosts: ["gateway.internal"] },
  });
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly isOnReusedConnection: boolean;
}

/** `fetch` sets Host itself. */
function ask(path: string, options: RequestOptions, gateway = fixture.gateway): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asking = request(gateway.url + path, options, async (response) => {
      const text = (await response.toArray()).join("");
      const { statusCode: status, headers } = response;
      resolve({ status, headers, text, isOnReusedConnection: asking.reusedSocket });
    });
    asking.on("error", reject);
    asking.end();
  });
}

const askAs = (host: string, path: string, headers: object = {}) =>
  ask(path, { headers: { ...headers, host } });

describe("a page under a foreign name", () => {
  it.each(["/", "/sign-in", "/settings/keys", "/assets/style.css", "/oauth/consent"])(
    "%s is 421, says what to set, and does not reach the pages",
    async (path) => {
      web.asked.length = 0;
      const { status, text } = await askAs("evil.example.com", path);
      expect(status).toBe(421);
      expect(JSON.parse(text)).toEqual({
        error: "invalid_request",
        message: expect.stringMatching(
          /^These pages are at https:\/\/journal\.example\.com\. Open them there\. .*set BASE_URL .*ALLOWED_HOSTS\.$/,
        ),
      });
      expect(web.asked).toEqual([]);
    },
  );

  it("that does not exist is 421 for browsers, too, as a page that names the address", async () => {
    const { status, headers, text } = await askAs("evil.example.com", "/jurnal", BROWSER);
    expect(status).toBe(421);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toContain(`These pages are at ${PUBLIC}.`);
    expect(text).not.toContain("evil");
  });

  it("is 421 for forms, before their bodies are read", async () => {
    const headers = { host: "evil.example.com", "content-length": 70_000 };
    const posted = await new Promise((resolve, reject) => {
      const post = request(`${fixture.gateway.url}/sign-in`, { method: "POST", headers });
      post.on("response", ({ statusCode }) => {
        resolve(statusCode);
        post.destroy();
      });
      post.on("error", reject);
      post.flushHeaders();
    });
    expect(posted).toBe(421);
  });
});

describe("pages are served", () => {
  it.each(["journal.example.com", "journal.example.com:8443", "gateway.internal"])(
    "under the name %s",
    async (host) => {
      expect(await askAs(host, "/sign-in")).toMatchObject({ status: 200 });
    },
  );

  it.each(["localhost", "127.0.0.1", "[::1]"])(
    "under %s by an installation on this machine",
    async (name) => {
      const config = { webUrl: web.url, baseUrl: "http://localhost:3000" };
      await using own = await startFixture({ config });
      const asked = (host: string) => ask("/sign-in", { headers: { host } }, own.gateway);
      expect(await asked(`${name}:3000`)).toMatchObject({ status: 200 });
      expect(await asked("rebound.example.com:3000")).toMatchObject({ status: 421 });
    },
  );

  it("behind a trusted proxy that sends the name apart, and only there", async () => {
    const headers = { "x-forwarded-host": "journal.example.com" };
    expect(await askAs("10.0.0.7:3000", "/sign-in", headers)).toMatchObject({ status: 421 });
    const config = { webUrl: web.url, baseUrl: PUBLIC, trustProxyHops: 1 };
    await using own = await startFixture({ config });
    const proxied = { headers: { ...headers, host: "10.0.0.7:3000" } };
    expect(await ask("/sign-in", proxied, own.gateway)).toMatchObject({ status: 200 });
  });
});

it.each(["/api/v1/me", "/healthz", "/readyz", "/openapi.json", "/docs"])(
  "%s is served under every name: probes and Services have others",
  async (path) => {
    expect(await askAs("10.0.0.7:3000", path, KEY)).toMatchObject({ status: 200 });
  },
);

describe("two Host headers", () => {
  it.each([
    ["GET", "/api/v1/me", "1.1"],
    ["GET", "/healthz", "1.1"],
    ["GET", "/sign-in", "1.1"],
    ["POST", "/mcp", "1.1"],
    ["GET", "/healthz", "1.0"],
  ])("are 400: %s %s HTTP/%s", async (method, path, version) => {
    for (const second of ["journal.example.com", "evil.example.com"]) {
      const { hostname, port } = new URL(fixture.gateway.url);
      const socket = connect(Number(port), hostname);
      const hosts = `Host: journal.example.com\r\nHost: ${second}\r\n`;
      socket.end(`${method} ${path} HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`);
      const text = (await socket.toArray()).join("");
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('{"error":"invalid_request","message":"Send one Host header."}');
    }
  });
});

describe("a client's connection", () => {
  it("stays open after a page, although the pages' own closes", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { host: "journal.example.com" };
    const first = await ask("/sign-in", { agent, headers });
    const second = await ask("/settings", { agent, headers });
    expect(web.asked.at(-1)?.headers.connection).toBe("close");
    expect([first, second].map((reply) => reply.headers.connection)).toEqual([
      "keep-alive",
      "keep-alive",
    ]);
    expect(second.headers["keep-alive"]).toBe("timeout=65");
    expect(second.isOnReusedConnection).toBe(true);
    agent.destroy();
  });

  it("ends with a page that is answered while the gateway stops", async () => {
    const config = { webUrl: web.url, baseUrl: PUBLIC, leaveMs: 2_000 };
    const own = await startFixture({ config });
    const headers = { host: "journal.example.com" };
    const agent = new Agent({ keepAlive: true });
    await ask("/sign-in", { agent, headers }, own.gateway);
    const stopped = own.gateway[Symbol.asyncDispose]();
    const last = await ask("/sign-in", { agent, headers }, own.gateway);
    expect(last.headers.connection).toBe("close");
    await stopped;
    await own.fakes[Symbol.asyncDispose]();
  });
});
