import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import type { FakeWeb } from "./fake-web.ts";
import { answerPage, startFakeWeb } from "./fake-web.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

let web: FakeWeb;
let fixture: GatewayFixture;
beforeAll(async () => {
  web = await startFakeWeb();
  fixture = await startFixture({ config: { webUrl: web.url } });
});
beforeEach(() => void (web.asked.length = 0));
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

describe("the web service", () => {
  it.each([
    "/sign-in",
    "/sign-in/google?next=%2Fjournal",
    "/sign-up",
    "/sign-out",
    "/recover/done",
    "/oauth/consent?authorization_id=abc",
    "/oauth/callback?code=abc&state=def",
    "/report-key",
    "/settings",
    "/settings/keys",
    "/journal/2026-11-21",
    "/assets/style.css?v=1",
    "/favicon.ico",
  ])("receives %s unchanged", async (path) => {
    expect(await fixture.get(path, {})).toMatchObject({ status: 200, text: "<p>A page</p>" });
    expect(web.asked).toMatchObject([{ method: "GET", url: path, body: "" }]);
  });

  it.each(["/settingsx", "/Settings", "/oauth/token", "/oauth", "/x/settings", "/healthz/x"])(
    "does not receive %s",
    async (path) => {
      expect(await fixture.get(path, {})).toMatchObject({ status: 404 });
      expect(web.asked).toEqual([]);
    },
  );

  it("answers the start page and, for browsers, every unknown address", async () => {
    await fixture.get("/", {});
    const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    await fixture.get("/jurnal", browser);
    expect(web.asked.map(({ url }) => url)).toEqual(["/", "/jurnal"]);
    const read = await fixture.get("/api/v2/me", browser);
    expect(read).toMatchObject({ status: 404, body: { error: "not_found" } });
    expect(web.asked).toHaveLength(2);
  });

  it("receives forms with their cookies", async () => {
    const headers = { cookie: "session=abc", "content-type": "application/x-www-form-urlencoded" };
    const answer = await fixture.send("/settings/keys", {
      method: "POST",
      headers,
      body: "name=x",
    });
    expect(answer.status).toBe(200);
    expect(web.asked).toMatchObject([{ method: "POST", body: "name=x", headers }]);
  });

  it("receives none of the client's forwarding headers, and no key or token", async () => {
    await fixture.get("/journal", {
      ...bearer(FULL_KEY),
      "x-service-api-key": FULL_KEY,
      "user-agent": "a browser",
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example.com",
      "x-request-id": "mine",
      "x-real-ip": "203.0.113.9",
      forwarded: "for=203.0.113.9",
    });
    const { "x-request-id": requestId, ...others } =
      web.asked[0]?.headers ?? ({} as IncomingHttpHeaders);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual({
      accept: "*/*",
      "accept-encoding": expect.any(String),
      "accept-language": "*",
      connection: "close",
      host: new URL(web.url).host,
      "sec-fetch-mode": "cors",
      "user-agent": "a browser",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": new URL(fixture.gateway.url).host,
      "x-forwarded-proto": "http",
    });
  });

  it("learns clients' addresses from trusted proxies", async () => {
    const baseUrl = "https://journal.example.com";
    await using own = await startFixture({
      config: { webUrl: web.url, baseUrl, trustProxyHops: 1 },
    });
    await own.get("/journal", {
      "x-forwarded-for": "198.51.100.1, 203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "journal.example.com",
    });
    expect(web.asked[0]?.headers).toMatchObject({
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "journal.example.com",
    });
  });

  it("does not get our content policy on pages without their own", async () => {
    web.answer = (response) => void response.end();
    expect((await fixture.get("/assets/x", {})).headers.has("content-security-policy")).toBe(false);
    web.answer = answerPage;
  });

  it("sets its pages' own policy", async () => {
    const { headers } = await fixture.get("/settings", {});
    expect(headers.get("content-security-policy")).toBe("default-src 'self'");
    expect(headers.getSetCookie()).toEqual(["one=1; HttpOnly", "two=2; HttpOnly"]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toBe(web.asked[0]?.headers["x-request-id"]);
  });
});

describe("a request to a page", () => {
  it.each([
    [65_536, 200],
    [65_537, 413],
  ])("with a body of %i bytes is %i", async (bytes, status) => {
    const answer = await fixture.send("/settings", { method: "POST", body: "x".repeat(bytes) });
    expect(answer.status).toBe(status);
    expect(web.asked.map(({ body }) => body.length)).toEqual(status === 200 ? [bytes] : []);
  });

  it("with a body of unknown length is limited, too", async () => {
    const body = new Blob(["x".repeat(65_537)]).stream();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect(await fixture.send("/settings", init)).toMatchObject({ status: 413 });
    expect(web.asked).toEqual([]);
  });

  it("may have as many cookies as the pages write", async () => {
    const cookie = `session=${"x".repeat(28_000)}`;
    expect(await fixture.get("/settings", { cookie })).toMatchObject({ status: 200 });
    expect(web.asked).toMatchObject([{ headers: { cookie } }]);
  });

  it("with another method is 405", async () => {
    const answer = await fixture.send("/settings", { method: "DELETE" });
    expect(answer).toMatchObject({
      status: 405,
      body: { message: "/settings supports GET, HEAD, and POST, not DELETE." },
    });
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("uses cookies, which are not a credential elsewhere", async () => {
    const cookie = "session=abc";
    expect(await fixture.get("/api/v1/me", { cookie })).toMatchObject({ status: 401 });
    expect(await fixture.send("/mcp", { method: "POST", headers: { cookie } })).toMatchObject({
      status: 401,
    });
  });
});

describe("while the web service is unavailable", () => {
  const away = { config: { webUrl: "http://127.0.0.1:9", authUrl: undefined } };

  it("a program is told when to retry", async () => {
    await using own = await startFixture(away);
    const answer = await own.get("/journal", {});
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.body).toEqual({
      error: "service_unavailable",
      message: "The pages are temporarily unavailable. Try again in 5 seconds.",
    });
  });

  it("a person gets a page without scripts", async () => {
    await using own = await startFixture(away);
    const answer = await own.get("/journal", { accept: "text/html,*/*;q=0.8" });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.text).toContain("The pages are temporarily unavailable.");
  });

  it("the log says why, without the query, the rest of the path, or cookies", async () => {
    const lines: object[] = [];
    const write = (facts: object) => void lines.push(facts);
    const logger = { debug: write, info: write, warn: write, error: write };
    {
      await using own = await startFixture({ ...away, logger });
      await own.get("/oauth/callback/private?code=private", { cookie: "session=private" });
    }
    const [{ err, ...facts } = { err: undefined }] = lines as [{ err: Error }];
    expect(facts).toMatchObject({ route: "/oauth/callback", status: 503 });
    expect(err).toMatchObject({ code: "ECONNREFUSED" });
    expect(JSON.stringify([facts, err, err?.message, err?.stack])).not.toContain("private");
  });

  it("the API keeps working", async () => {
    await using own = await startFixture(away);
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 200 });
    expect(await own.get("/readyz", {})).toMatchObject({ status: 200 });
  });
});

describe("a web service that", () => {
  it("breaks off leaves no partial page that looks complete", async () => {
    web.answer = (response) => {
      response.setHeader("Content-Length", "1000");
      response.write("half", () => response.destroy());
    };
    const ended = new Promise<string>((resolve) => {
      const reading = request(`${fixture.gateway.url}/journal`, (response) => {
        response.on("error", () => resolve("broken off"));
        response.on("end", () => resolve("whole"));
        response.resume();
      });
      reading.on("error", () => resolve("broken off"));
      reading.end();
    });
    expect(await ended).toBe("broken off");
    web.answer = answerPage;
  });
});
