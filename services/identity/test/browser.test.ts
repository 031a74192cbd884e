import { request } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import { testConfig } from "./target.ts";

let identity: RunningIdentity;
beforeAll(async () => void (identity = await startIdentity(testConfig())));
afterAll(() => identity[Symbol.asyncDispose]());

const ORIGIN = "https://inspector.example";

test("a client in a browser may register from any site", async () => {
  const address = `${identity.issuer}/oauth/clients/register`;
  const preflight = await fetch(address, {
    method: "OPTIONS",
    headers: { origin: ORIGIN, "access-control-request-headers": "content-type" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
  const body = JSON.stringify({ redirect_uris: ["https://inspector.example/callback"] });
  const response = await fetch(address, { method: "POST", headers: { origin: ORIGIN }, body });
  expect(response.status).toBe(201);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("no other site may read the inbox or the simulated third parties' pages", async () => {
  const headers = { origin: ORIGIN };
  for (const address of [
    `http://${identity.address}/inbox`,
    `${identity.issuer}/stand-in/google?flow=none`,
  ]) {
    const response = await fetch(address, { headers });
    expect(response.headers.get("access-control-allow-origin"), address).toBeNull();
  }
});

test("refuses a site whose name points at this machine", async () => {
  const status = await new Promise((resolve, reject) => {
    const headers = { host: "rebound.example" };
    request(`http://${identity.address}/inbox`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(421);
});

test.each([
  { body: "{", status: 400 },
  { body: "[]", status: 400 },
  { body: '"text"', status: 400 },
  { body: '{"redirect_uris":[1]}', status: 400 },
  { body: '{"redirect_uris":["https://a.example"],"client_name":{}}', status: 400 },
  { body: JSON.stringify({ redirect_uris: ["x".repeat(70_000)] }), status: 413 },
])("an invalid body is answered with $status and a code", async ({ body, status }) => {
  const address = `${identity.issuer}/oauth/clients/register`;
  const response = await fetch(address, { method: "POST", body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code: status, error_code: expect.any(String) });
});

test("a badly encoded or unknown address is not a server error", async () => {
  const bad = await fetch(`${identity.issuer}/oauth/authorizations/%E0%A4%A`);
  expect(bad.status).toBe(400);
  expect((await fetch(`${identity.issuer}/nothing/here`)).status).toBe(404);
});
