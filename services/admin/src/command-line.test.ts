import { expect, test } from "vitest";

import { runCommandLine } from "./command-line.ts";
import { notRunning } from "./config.ts";
import { Services } from "./services.ts";

/** Runs without any service: commands that need one end with exit code 1. */
function run(...args: string[]) {
  const services = new Services(() => {
    throw notRunning();
  });
  return runCommandLine(args, services, async () => {});
}

test.each([
  [["accounts", "create"], "--email"],
  [["accounts", "create", "--email"], "--email"],
  [["accounts", "set", "a@example.com", "--premium", "--no-premium"], "not both"],
  [["accounts", "create", "--email", "a@example.com", "--email", "b@example.com"], "once"],
  [["accounts", "set", "a@example.com"], "at least one change"],
  [["keys", "create", "--account", "a@example.com"], "--scopes"],
  [["keys", "create", "--scopes", "service.read"], "--account"],
  [["keys", "create", "--scopes", "service.read", "--expires", "2027-02-30"], "date"],
  [["usage", "top", "--hours", "0"], "1 to 720"],
  [["accounts", "list", "extra"], "Too many arguments"],
  [["accounts", "set"], "ID|EMAIL"],
  [["keys", "list", "--everything"], "--everything"],
  [["keys", "revoke", "--account", "a@example.com"], "ID|PUBLIC_ID"],
  [["accounts", "remove"], "create, erase, invite, list, move, set"],
  [["constructor"], "accounts, journal, keys"],
  [["keys", "toString"], "create, list, revoke"],
  [[], "accounts, journal, keys"],
  [["accounts", "erase"], "ID|EMAIL"],
  [["accounts", "erase", "a@example.com"], "--yes"],
  [["journal", "export", "--account", "a@example.com"], "--format"],
  [["journal", "export", "--account", "a@example.com", "--format", "xml"], "json, csv"],
  [["journal", "import", "--account", "a@example.com", "f.csv"], "--from"],
  [["journal", "import", "--account", "a@example.com", "--from", "diary", "f.csv"], "cronometer"],
  [["journal", "import", "--account", "a@example.com", "--from", "cronometer"], "FILE"],
  [["accounts", "create", "--email", "--name", "Ana"], "--email a value"],
  [["accounts", "create", "--email", ""], "--email"],
  [["accounts", "create", "--email", "a@example.com", "--no-premium"], "--no-premium"],
  [["foods", "analyze", "--jsonl", ""], "--jsonl"],
  [["acounts", "list"], "Did you mean accounts?"],
  [["accounts", "lst"], "Did you mean list?"],
  [["accounts", "set", "a@example.com", "--premum"], "Did you mean --premium?"],
  [["keys", "list", "--acount", "a@example.com"], "Did you mean --account?"],
  [["keys", "list", "--jsn"], "Did you mean --json?"],
])("a usage error %j names what is expected", async (args, hint) => {
  const { stdout, stderr } = await run(...args);
  expect(stdout).toBe("");
  expect(stderr).toContain(hint);
  expect(stderr.indexOf("\n")).toBe(stderr.length - 1);
  const asJson = await run(...args, "--json");
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: "usage" });
});

test("a usage error is exit code 2, and missing services exit code 1", async () => {
  expect((await run("accounts")).exitCode).toBe(2);
  expect((await run("accounts", "list")).exitCode).toBe(1);
});

test.each([
  [["--help"], "npm run -s admin -- SUBJECT COMMAND"],
  [["accounts", "--help"], "npm run -s admin -- accounts COMMAND"],
  [["keys", "create", "-h"], "--expires <DATE>"],
  [["keys", "create", "--help"], "required: service.read"],
  [["journal", "export", "--help"], "--json"],
])("help %j explains, and needs no services", async (args, text) => {
  const { stdout, stderr, exitCode } = await run(...args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain(text);
});

test("never repeats an API key in the wrong place", async () => {
  const key = "service_live_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg4Sxdm7";
  const runs = await Promise.all([
    run(key),
    run("keys", key),
    run("accounts", "list", key),
    run("keys", "list", "--key", key),
    run("keys", "list", `--key=${key}`),
    run("keys", "list", `-${key}`),
    run(
      "keys",
      "create",
      "--account",
      "a@example.com",
      "--scopes",
      "service.read",
      "--expires",
      key,
    ),
    run("journal", "export", "--account", "a@example.com", "--format", key),
    run("journal", "export", "--account", "a@example.com", `--format=it's ${key}`),
    run("usage", "top", "--hours", key),
    run("usage", "top", "--hours", "1", "--hours", key),
  ]);
  for (const { stdout, stderr, exitCode } of runs) {
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(key);
  }
});
