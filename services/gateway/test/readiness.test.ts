import { ManualClock } from "@nutrition/core/clock";
import { expect, it } from "vitest";

import { Readiness } from "../src/routes/readiness.ts";
import { startFixture } from "./gateway-fixture.ts";

const NOW = "2026-11-21T12:00:00Z";
const SERVING = { auth: "serving", journal: "serving", limits: "serving" } as const;

it("checks the backends at most once a second and never waits for them", async () => {
  const clock = new ManualClock(NOW);
  const { promise, resolve } = Promise.withResolvers<typeof SERVING>();
  let asked = 0;
  const backends = {
    askStates: () => {
      asked += 1;
      return promise;
    },
  };
  const readiness = new Readiness({ backends, proxyCheck: { warnings: [] }, clock });
  expect(readiness.details().backends).toMatchObject({ auth: "unknown" });
  clock.advance(999);
  readiness.details();
  expect(asked).toBe(1);
  clock.advance(1);
  readiness.details();
  expect(asked).toBe(2);
  resolve(SERVING);
  await promise;
  await Promise.resolve();
  expect(readiness.details().backends).toEqual(SERVING);
});

async function warningsAfter(headers: Record<string, string>, trustProxyHops = 0) {
  const clock = new ManualClock(NOW);
  const warned: string[] = [];
  const ignore = () => {};
  const warn = (_facts: object, message: string) => void warned.push(message);
  const logger = { debug: ignore, info: ignore, warn, error: ignore };
  await using fixture = await startFixture({ clock, logger, config: { trustProxyHops } });
  const look = async () => {
    expect(await fixture.get("/readyz", headers)).toMatchObject({ text: '{"status":"ready"}' });
    return fixture.gateway.details()["warnings"];
  };
  const atOnce = await look();
  await look();
  const loggedAtOnce = warned.filter((text) => text.includes("TRUST_PROXY_HOPS")).length;
  clock.advance(3_600_000);
  await look();
  const logged = warned.filter((text) => text.includes("TRUST_PROXY_HOPS")).length;
  return { atOnce, loggedAtOnce, logged };
}

it.each([{ "x-forwarded-for": "192.0.2.1" }, { forwarded: "for=192.0.2.1" }])(
  "warns of a proxy missing from the configuration, with what to set: %o",
  async (headers) => {
    const { atOnce, loggedAtOnce, logged } = await warningsAfter(headers);
    expect(atOnce).toEqual([expect.stringContaining("set TRUST_PROXY_HOPS to")]);
    expect({ loggedAtOnce, logged }).toEqual({ loggedAtOnce: 1, logged: 2 });
  },
);

it("does not warn of a configured proxy, or without one", async () => {
  const none = { atOnce: [], loggedAtOnce: 0, logged: 0 };
  expect(await warningsAfter({})).toEqual(none);
  expect(await warningsAfter({ "x-forwarded-for": "192.0.2.1" }, 1)).toEqual(none);
});
