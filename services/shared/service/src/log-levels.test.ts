import { describe, expect, it, test } from "vitest";

import { loggingEnvironment } from "./logger.ts";
import { parseLogLevels } from "./log-levels.ts";

test("one level applies to every service and all its parts", () => {
  const levels = parseLogLevels("warn");
  expect([levels.of("journal"), levels.of("journal", "outbox")]).toEqual(["warn", "warn"]);
});

test("the most specific level applies, in any order", () => {
  const levels = parseLogLevels("journal.outbox=debug, rpc=info,journal=error,warn");
  expect(levels.of("limits")).toBe("warn");
  expect(levels.of("journal")).toBe("error");
  expect(levels.of("journal", "writes")).toBe("error");
  expect(levels.of("journal", "rpc")).toBe("info");
  expect(levels.of("journal", "outbox")).toBe("debug");
  expect(levels.of("limits", "outbox")).toBe("warn");
});

test("the default level is info", () => {
  const levels = parseLogLevels("outbox=debug");
  expect([levels.of("journal"), levels.of("journal", "outbox")]).toEqual(["info", "debug"]);
});

describe("refuses an invalid value with an explanation:", () => {
  it.each([
    ["loud", "a level must be one of debug, info, warn, error"],
    ["", "a level must be one of"],
    ["info,journal=", "a level must be one of"],
    ["=info", "levels can be set for a service (gateway, web, auth"],
    ["jurnal=debug", "levels can be set for a service (gateway, web, auth"],
    ["journal.outbux=debug", "levels can be set for"],
    ["outbox.journal=debug", "levels can be set for"],
    ["journal.outbox.more=debug", "levels can be set for"],
    ["info,debug", "has two levels for everything"],
    ["rpc=info,rpc=debug", "has two levels for rpc"],
  ])("%j", (text, sentence) => {
    expect(() => parseLogLevels(text)).toThrow(sentence);
  });

  it("and the explanation names the variable", () => {
    const { error } = loggingEnvironment.safeParse({ LOG_LEVEL: "loud", LOG_FORMAT: "yaml" });
    const messages = error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    expect(messages).toEqual([
      expect.stringContaining("LOG_LEVEL: a level must be one of"),
      "LOG_FORMAT: must be json or text",
    ]);
  });
});
