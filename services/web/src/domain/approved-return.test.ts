import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { decideApprovedReturn } from "./approved-return.ts";
import type { RedirectTarget } from "./redirect-target.ts";

const GOOD = "good.example";
const EVIL = "evil.example";
const site = (host: string): RedirectTarget => ({ kind: "site", host });

test.each([
  ["its only client, at its host", site(GOOD), [GOOD], "allowed"],
  ["two clients, both at the host", site(GOOD), [GOOD, GOOD], "allowed"],
  ["one client at the host, one elsewhere", site(EVIL), [GOOD, EVIL], "several"],
  ["one client, allowed elsewhere", site(EVIL), [GOOD], "moved"],
  ["nobody", site(EVIL), [], "moved"],
  ["a client without a grant beside one with", site(GOOD), [GOOD, undefined], "restart"],
  ["an app on the device", { kind: "device", host: "127.0.0.1:1" }, ["127.0.0.1:1"], "device"],
  ["an app with a scheme", { kind: "app", host: "cursor:" }, ["cursor:"], "device"],
] as const)("%s", (_name, target, hosts, outcome) => {
  expect(decideApprovedReturn(target, hosts)).toBe(outcome);
});

describe("whichever of the approved clients is asking,", () => {
  const hosts = [GOOD, EVIL, "third.example", "127.0.0.1:1", "cursor:"];
  const host = fc.constantFrom(...hosts);
  const grantedHost = fc.option(host, { nil: undefined, freq: 8 });
  const target = fc.record({
    kind: fc.constantFrom("site" as const, "device" as const, "app" as const),
    host,
  });
  /** The host at which the asking client was allowed, among all approved ones. */
  const situation = fc
    .array(grantedHost, { minLength: 1, maxLength: 6 })
    .chain((approved) => fc.record({ approved: fc.constant(approved), asking: fc.nat(5), target }))
    .map(({ approved, asking, ...rest }) => ({
      ...rest,
      approved,
      askingHost: approved[asking % approved.length],
    }));

  test("a code continues without a click only to a site at which that client was allowed", () => {
    fc.assert(
      fc.property(situation, ({ approved, askingHost, target }) => {
        if (decideApprovedReturn(target, approved) !== "allowed") return;
        expect(askingHost).toBe(target.host);
        expect(target.kind).toBe("site");
      }),
      { numRuns: 2_000 },
    );
  });

  test("a code continues at all only if all clients have a grant and one was allowed there", () => {
    fc.assert(
      fc.property(situation, ({ approved, target }) => {
        const outcome = decideApprovedReturn(target, approved);
        if (outcome === "moved" || outcome === "restart") return;
        expect(approved).not.toContain(undefined);
        expect(approved).toContain(target.host);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a person's only client continues at its site without a question", () => {
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 6 }), (only, count) => {
        const approved = Array.from({ length: count }, () => only);
        expect(decideApprovedReturn(site(only), approved)).toBe("allowed");
      }),
    );
  });
});
