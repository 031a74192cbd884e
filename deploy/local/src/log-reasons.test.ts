import { expect, test } from "vitest";

import { reasonsIn } from "./log-reasons.ts";

const logged = (record: object) => JSON.stringify({ time: "2026-01-01", ...record });

test("an error of the settings is shown as it was written, line by line", () => {
  const msg = "The configuration is not valid:\n  LIMITS_FILE: is missing";
  expect(reasonsIn(`${logged({ level: 30, msg: "begun" })}\n${logged({ level: 50, msg })}\n`)).toBe(
    msg,
  );
});

test("of an error that was logged the message is shown, once and without the stack", () => {
  const err = { message: "connect ECONNREFUSED", stack: "Error: connect\n    at main.ts:1:1" };
  const line = logged({ level: 50, err, msg: "could not run" });
  expect(reasonsIn(`${line}\n${line}\n`)).toBe("connect ECONNREFUSED");
});

test("of an error that nobody caught the message is found above a long stack", () => {
  const reason = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'pino' imported from main.ts";
  const stack = Array.from({ length: 40 }, (_, at) => `    at step${at} (main.ts:${at}:1)`);
  const log = ["node:internal/modules/esm/resolve:1", "   throw", "", reason, ...stack, "}", ""];
  expect(reasonsIn(log.join("\n"))).toBe(reason);
});

test("a log that tells of no error is shown by its last lines", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  expect(reasonsIn(lines.join("\n"))).toBe(lines.slice(-15).join("\n"));
  expect(reasonsIn("null\n")).toBe("null");
});
