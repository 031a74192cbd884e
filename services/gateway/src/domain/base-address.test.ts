import fc from "fast-check";
import { expect, test } from "vitest";

import { BaseAddress } from "./base-address.ts";

const LOCAL = "http://127.0.0.1:3000";
const PUBLIC = "https://food.example.com";

test.each([
  ["localhost:3000", "http://localhost:3000"],
  ["LOCALHOST:3000", "http://localhost:3000"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["127.0.0.1:3000", LOCAL],
])("on loopback, a client that typed %s is told %s", (host, told) => {
  expect(new BaseAddress(LOCAL).asTyped(host)).toBe(told);
});

test.each([
  ["another port", "localhost:3001"],
  ["the default port", "localhost"],
  ["another name", "evil.example:3000"],
  ["a name that begins like ours", "localhost.evil.example:3000"],
  ["user information", "localhost@evil.example:3000"],
  ["something unreadable", "local host"],
  ["nothing", undefined],
])("on loopback, a Host with %s does not change the address", (_case, host) => {
  expect(new BaseAddress(LOCAL).asTyped(host)).toBe(LOCAL);
});

test("no Host changes the address of a public installation", () => {
  const address = new BaseAddress(PUBLIC);
  const host = fc.oneof(fc.string(), fc.constantFrom("localhost", "127.0.0.1", "localhost:443"));
  fc.assert(fc.property(host, (text) => address.asTyped(text) === PUBLIC));
});

test("whatever the Host is, the address is one of ours", () => {
  const known = [LOCAL, "http://localhost:3000", "http://[::1]:3000"];
  const near = fc.constantFrom(
    "localhost",
    "127.0.0.1",
    "[::1]",
    ":3000",
    "@",
    "/",
    "?",
    "#",
    "\\",
  );
  const host = fc.oneof(
    fc.string(),
    fc.array(near).map((parts) => parts.join("")),
  );
  const address = new BaseAddress(LOCAL);
  fc.assert(fc.property(host, (text) => known.includes(address.asTyped(text))));
});
