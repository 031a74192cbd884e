import { createServer } from "node:http";
import type { ServerResponse } from "node:http";

import { expect, it } from "vitest";

import { pageRoutes } from "../src/routes/page-routes.ts";
import { PAGE_TURNS, PageTurns } from "../src/routes/page-turns.ts";
import { bareApp } from "./bare-app.ts";
import type { FakeWeb } from "./fake-web.ts";
import { answerPage, listen, startFakeWeb } from "./fake-web.ts";

/** Pages behind one trusted proxy, so that a test may come from any network. */
async function startPages(
  web: FakeWeb,
  options: Partial<typeof PAGE_TURNS> = {},
  silenceMaxMs = 5_000,
) {
  const turns = new PageTurns({ ...PAGE_TURNS, ...options });
  const server = createServer(bareApp([pageRoutes(web.url, { turns, silenceMaxMs })], 1));
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    get: (path: string, address: string, signal: AbortSignal | null = null) =>
      fetch(url + path, { headers: { "x-forwarded-for": address }, signal }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SLOW = "192.0.2.1";
const OTHER = "192.0.2.2";

/** A web service that answers on command. */
async function startHeldWeb() {
  const held: ServerResponse[] = [];
  const web = await startFakeWeb();
  web.answer = (response) => void held.push(response);
  return Object.assign(web, { held });
}

it("a silent web service times out", async () => {
  await using web = await startHeldWeb();
  await using pages = await startPages(web, {}, 50);
  const response = await pages.get("/journal", SLOW);
  expect(response.status).toBe(503);
  await response.text();
});

it("pages of one network wait for each other, and never for another network's", async () => {
  await using web = await startHeldWeb();
  const turns = { slots: 3, slotsPerKey: 1 };
  await using pages = await startPages(web, turns);
  const first = pages.get("/journal?1", SLOW);
  await expect.poll(() => web.held.length).toBe(1);
  const second = pages.get("/journal?2", SLOW);
  const other = pages.get("/journal?3", OTHER);
  await expect.poll(() => web.held.length).toBe(2);
  expect(web.asked.map(({ url }) => url)).toEqual(["/journal?1", "/journal?3"]);
  web.answer = answerPage;
  for (const response of web.held) answerPage(response);
  const statuses = (await Promise.all([first, second, other])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
});

it("a page whose visitor disconnected is never requested", async () => {
  await using web = await startHeldWeb();
  const turns = { slots: 1, slotsPerKey: 1 };
  await using pages = await startPages(web, turns);
  const first = pages.get("/journal?1", SLOW);
  await expect.poll(() => web.held.length).toBe(1);
  const hangUp = new AbortController();
  const second = pages.get("/journal?2", SLOW, hangUp.signal);
  const third = pages.get("/journal?3", SLOW);
  hangUp.abort();
  await expect(second).rejects.toThrow();
  web.answer = answerPage;
  for (const response of web.held) answerPage(response);
  expect((await Promise.all([first, third])).map(({ status }) => status)).toEqual([200, 200]);
  expect(web.asked.map(({ url }) => url)).not.toContain("/journal?2");
});

it("a network with too many waiting requests is refused, with its own reason in the log", async () => {
  await using web = await startHeldWeb();
  const turns = { slots: 1, slotsPerKey: 1, waitingPerKeyMax: 0 };
  await using pages = await startPages(web, turns);
  const first = pages.get("/journal", SLOW);
  await expect.poll(() => web.held.length).toBe(1);
  const refused = await pages.get("/journal", SLOW);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ error: "rate_limit_exceeded" });
  for (const response of web.held) answerPage(response);
  await first;
});
