import * as fc from "fast-check";
import { expect, test } from "vitest";

import { coversToken, parseClient, parseClientId } from "./grant.ts";

test("covers a token issued in the second of the consent, and none from the second before", () => {
  const grantedAt = new Date("2026-03-01T12:00:05.700Z");
  expect(coversToken(grantedAt, new Date("2026-03-01T12:00:05Z"))).toBe(true);
  expect(coversToken(grantedAt, new Date("2026-03-01T12:00:04Z"))).toBe(false);
});

test("covers tokens issued after a covered one", () => {
  const moment = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, moment, fc.nat(), (grantedAt, issuedAt, laterMs) => {
      fc.pre(coversToken(grantedAt, issuedAt));
      expect(coversToken(grantedAt, new Date(issuedAt.getTime() + laterMs))).toBe(true);
    }),
  );
});

test("refuses a client id that is empty, too long or not visible ASCII", () => {
  expect(parseClientId("https://claude.ai/client.json")).toBe("https://claude.ai/client.json");
  for (const text of ["", "a b", "é", "a\n", "x".repeat(201)]) {
    expect(() => parseClientId(text)).toThrow("client_id");
  }
});

test("cuts a client's name to what can be shown, and requires an ASCII host", () => {
  const client = { clientId: "c", clientName: `A\n${"b".repeat(300)}`, redirectHost: "a.example" };
  expect(parseClient(client).clientName).toBe(`A ${"b".repeat(198)}`);
  expect(() => parseClient({ ...client, redirectHost: "аpple.example" })).toThrow("Punycode");
});
