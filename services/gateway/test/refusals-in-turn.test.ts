import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";

import { newId } from "@nutrition/core/ids";
import { Router } from "express";
import { describe, expect, it, onTestFinished } from "vitest";

import { Admission, REFUSAL_PACE } from "../src/access/admission.ts";
import type { AccountingServices } from "../src/access/admitted-request.ts";
import { HttpRefusal } from "../src/http/refusal.ts";
import { bareApp } from "./bare-app.ts";
import { FULL_KEY, READ_KEY, allowed, refuse } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { PausingClock } from "./pausing-clock.ts";

const NOW = "2026-11-21T12:00:00Z";
const SUMMARY = "/api/v1/nutrition/summary";

describe("refusals of a client that ignores refusals", () => {
  const MALFORMED = "abc";

  /** Uses up the refusals per second that are sent without delay. */
  async function useUpRefusals(fixture: GatewayFixture, key: string, status: number) {
    for (let count = 0; count < REFUSAL_PACE.freePerSecond; count += 1) {
      expect(await fixture.get(SUMMARY, bearer(key))).toMatchObject({ status });
    }
  }

  it.each([
    ["of an account over its limit", FULL_KEY, 429],
    ["of a network's bad credentials", MALFORMED, 401],
  ])("%s are sent after a pause", async (_, key, status) => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    refuse(fixture.fakes);
    await useUpRefusals(fixture, key, status);
    const before = clock.monotonicMs();
    const refused = fixture.get(SUMMARY, bearer(key));
    await expect.poll(() => clock.pauses).toBe(1);
    await clock.endPauses();
    expect(await refused).toMatchObject({ status });
    expect(clock.monotonicMs() - before).toBe(REFUSAL_PACE.pauseMs);
  });

  it("slow down no other account, and no valid credential of the network", async () => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    fixture.fakes.keys.set(READ_KEY, allowed({ accountId: newId() }));
    await useUpRefusals(fixture, MALFORMED, 401);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
    refuse(fixture.fakes);
    await useUpRefusals(fixture, FULL_KEY, 429);
    expect(await fixture.get(SUMMARY, bearer(READ_KEY))).toMatchObject({ status: 429 });
    expect(clock.pauses).toBe(0);
  });

  it("slow down no client that has yet to authenticate", async () => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    await useUpRefusals(fixture, MALFORMED, 401);
    expect(await fixture.get(SUMMARY, {})).toMatchObject({ status: 401 });
    expect(clock.pauses).toBe(0);
  });

  it("keep nothing waiting for a client that has disconnected", async () => {
    const clock = new PausingClock(NOW);
    const refusal = new HttpRefusal("invalid_api_key", "Unknown key.");
    const authenticator = { authenticate: () => Promise.reject(refusal) };
    const admission = new Admission({ authenticator } as unknown as AccountingServices, clock);
    let ended = 0;
    const nothing = { receive: async () => {}, answer: async () => {} };
    const routes = Router().get("/", (request, response) =>
      admission.admit(request, response, nothing).finally(() => (ended += 1)),
    );
    const server = createServer(bareApp([routes], 0, clock));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ask = () => get({ port, agent: false }, (response) => response.resume());
    for (let count = 0; count < REFUSAL_PACE.freePerSecond; count += 1) await once(ask(), "close");
    const impatient = ask().on("error", () => {});
    await expect.poll(() => clock.pauses).toBe(1);
    expect(ended).toBe(REFUSAL_PACE.freePerSecond);
    impatient.destroy();
    await expect.poll(() => ended).toBe(REFUSAL_PACE.freePerSecond + 1);
    expect(clock.pauses).toBe(1);
  });
});
