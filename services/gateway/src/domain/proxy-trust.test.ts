import { describe, expect, it } from "vitest";

import { proxyTrustOf, reportProxyTrust } from "./proxy-trust.ts";

const PUBLIC = "https://journal.example.com";
const LOCAL = "http://localhost:3000";

describe("X-Forwarded-For", () => {
  it.each(["127.0.0.1", "localhost", "::1"])(
    "is believed if BASE_URL is public and only this machine can connect, at %s",
    (host) => {
      expect(proxyTrustOf({ hops: undefined, host, baseUrl: PUBLIC })).toEqual({
        trustProxyHops: 1,
        proxyTrust: "inferred",
      });
    },
  );

  it.each([
    ["0.0.0.0", PUBLIC, "unknown"],
    ["::", PUBLIC, "unknown"],
    ["192.0.2.7", PUBLIC, "unknown"],
    ["127.0.0.1", LOCAL, "none"],
    ["127.0.0.1", "http://127.0.0.1:3000", "none"],
    ["0.0.0.0", LOCAL, "none"],
  ])("is believed of nobody with HOST %s and BASE_URL %s", (host, baseUrl, proxyTrust) => {
    expect(proxyTrustOf({ hops: undefined, host, baseUrl })).toEqual({
      trustProxyHops: 0,
      proxyTrust,
    });
  });

  it.each([0, 2])("is believed of the %i proxies that the operator names", (hops) => {
    for (const [host, baseUrl] of [
      ["127.0.0.1", PUBLIC],
      ["0.0.0.0", LOCAL],
    ] as const) {
      expect(proxyTrustOf({ hops, host, baseUrl })).toEqual({
        trustProxyHops: hops,
        proxyTrust: "set",
      });
    }
  });
});

it.each([
  ["inferred", "info"],
  ["unknown", "warn"],
  ["set", undefined],
  ["none", undefined],
] as const)("the log tells what to set if the number of proxies is %s", (trust, level) => {
  const logged: (string | undefined)[][] = [];
  const write = (name: string) => (_facts: object, message?: string) =>
    void logged.push([name, message]);
  const logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  reportProxyTrust(trust, logger);
  const expected = level && [level, expect.stringMatching(/set TRUST_PROXY_HOPS to/i) as string];
  expect(logged).toEqual(expected ? [expected] : []);
});
