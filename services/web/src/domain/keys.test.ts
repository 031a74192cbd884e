import { expect, test } from "vitest";

import { EMPTY_KEY_FORM, expiresSoon, parseKeyForm } from "./keys.ts";

const now = new Date("2026-11-21T22:30:00Z");
const here = { now, today: "2026-11-21", timeZone: "Europe/Berlin" };
const form = { ...EMPTY_KEY_FORM, name: "script" };

test("a key reads for 90 days by default", () => {
  const expiresAt = new Date("2027-02-19T22:30:00Z");
  expect(parseKeyForm(form, here)).toEqual({
    wish: { name: "script", scopes: ["service.read"], expiresAt },
  });
});

test("a key with a last day is valid until the person's midnight", () => {
  const chosen = { ...form, access: "write", expiry: "date", expiry_date: "2026-11-21" };
  expect(parseKeyForm(chosen, here)).toEqual({
    wish: {
      name: "script",
      scopes: ["service.read", "nutrition.write"],
      expiresAt: new Date("2026-11-21T23:00:00Z"),
    },
  });
});

test("a key may have no expiry", () => {
  expect(parseKeyForm({ ...form, expiry: "never" }, here)).toHaveProperty(
    "wish.expiresAt",
    undefined,
  );
});

test.each([
  ["name", { name: "" }],
  ["name", { name: "x".repeat(101) }],
  ["name", { name: "a\u0007b" }],
  ["access", { access: "everything" }],
  ["expiry", { expiry: "31" }],
  ["expiry_date", { expiry: "date", expiry_date: "2026-11-20" }],
  ["expiry_date", { expiry: "date", expiry_date: "2026-02-30" }],
  ["expiry_date", { expiry: "date", expiry_date: "9999-12-31" }],
])("explains what is wrong with %s: %o", (field, change) => {
  const parsed = parseKeyForm({ ...form, ...change }, here);
  expect(Object.keys("errors" in parsed ? parsed.errors : {})).toEqual([field]);
});

test("a key expires soon in its last week", () => {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  expect([undefined, inDays(8), inDays(7), inDays(-1)].map((at) => expiresSoon(at, now))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
