import { stripVTControlCharacters } from "node:util";

import { expect, test } from "vitest";

import { readLogRecord, textOf } from "./log-text.ts";

const PLAIN = { hasColours: false };
const TIME = "2026-11-22T09:08:07.006";

test("shows a request as method, route, status and duration, then the reason, and short ids", () => {
  const record = {
    ...{ level: 30, time: TIME, service: "gateway", module: "requests", msg: "request" },
    request_id: "019b0000-0000-7000-8000-00000000aaaa",
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    ...{ method: "POST", route: "/mcp", status: 200, duration_ms: 12.3, mcp: "log_food" },
    reason: "rate_limit_exceeded",
  };
  expect(textOf(record, PLAIN)).toBe(
    "09:08:07.006 gateway  info  POST /mcp 200 12.3 ms  request=0000aaaa " +
      "trace=4bf92f35 mcp=log_food reason=rate_limit_exceeded",
  );
});

test("aligns lines of all services and levels", () => {
  const lines = ["web", "analysis"].flatMap((service) =>
    [20, 50].map((level) => textOf({ level, time: TIME, service, msg: "here" }, PLAIN)),
  );
  expect(new Set(lines.map((line) => line.indexOf("here"))).size).toBe(1);
});

test("shows an error's message and origin on the same line", () => {
  const stack = "Error: no\n    at reserve (limits.ts:4:2)\n    at run (main.ts:1:1)";
  const record = { level: 50, time: TIME, service: "journal", msg: "call failed" };
  const text = textOf({ ...record, err: { type: "Error", message: "no", stack } }, PLAIN);
  expect(text).toContain("error call failed  Error: no (at reserve (limits.ts:4:2))");
  expect(text).not.toContain("\n");
});

test("nothing in a record can control the terminal", () => {
  const evil = "\x1b]0;title\x07\nforged line\u202e";
  const record = {
    level: 30,
    time: TIME,
    service: evil,
    msg: "m",
    fact: evil,
    err: { message: evil },
  };
  const request = { method: evil, route: evil, status: 200, duration_ms: 1 };
  for (const text of [textOf(record, PLAIN), textOf({ ...record, ...request }, PLAIN)]) {
    expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});

test("colors carry no information that the text lacks", () => {
  const record = { level: 40, time: TIME, service: "web", msg: "m", fact: 1 };
  const coloured = textOf(record, { hasColours: true });
  expect(coloured).toContain("\x1b[33mwarn \x1b[0m");
  expect(stripVTControlCharacters(coloured)).toBe(textOf(record, PLAIN));
});

test("distinguishes records from other lines", () => {
  for (const line of ["", "null", "3", "[]", '{"a":1}', "Error: no luck", "    at main.ts:1:1"]) {
    expect(readLogRecord(line)).toBeUndefined();
  }
  expect(readLogRecord('{"msg":"ready"}')).toEqual({ msg: "ready" });
});
