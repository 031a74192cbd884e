import { expect, test } from "vitest";

import { failureReasons } from "./log-reasons.ts";

const logged = (record: object) => JSON.stringify({ time: "2026-01-01", ...record });

test("shows a configuration error as it was written, line by line", () => {
  const msg = "The configuration is not valid:\n  LIMITS_FILE: is missing";
  expect(
    failureReasons(`${logged({ level: 30, msg: "begun" })}\n${logged({ level: 50, msg })}\n`),
  ).toBe(msg);
});

test("shows the message of a logged error, once and without the stack", () => {
  const err = { message: "connect ECONNREFUSED", stack: "Error: connect\n    at main.ts:1:1" };
  const line = logged({ level: 50, err, msg: "could not run" });
  expect(failureReasons(`${line}\n${line}\n`)).toBe("connect ECONNREFUSED");
});

test("finds the message of an uncaught error above a long stack", () => {
  const reason = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'pino' imported from main.ts";
  const stack = Array.from({ length: 40 }, (_, at) => `    at step${at} (main.ts:${at}:1)`);
  const log = ["node:internal/modules/esm/resolve:1", "   throw", "", reason, ...stack, "}", ""];
  expect(failureReasons(log.join("\n"))).toBe(reason);
});

test("shows the last lines of a log without an error", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  expect(failureReasons(lines.join("\n"))).toBe(lines.slice(-15).join("\n"));
  expect(failureReasons("null\n")).toBe("null");
});
