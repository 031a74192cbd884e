import { create } from "@bufbuild/protobuf";
import { InspectResponseSchema } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { tokenExpired } from "@nutrition/rpc/token-format";
import { expect, test } from "vitest";

import type { Target } from "../config.ts";
import type { Instance } from "./instances.ts";
import { judgeFleet } from "./judge-fleet.ts";
import { judgeInstance } from "./judge-instance.ts";

interface Tables {
  version: string;
  compared?: boolean;
  differing?: string[];
}

function instance(service: Target, timeZones: Tables): Instance {
  const facts = create(InspectResponseSchema, { timeZones });
  return { service, name: service, serving: true, facts, clockOffsetMs: 0 };
}

const aboutTimeZones = (...instances: Instance[]) =>
  judgeFleet(instances).find(({ subject }) => subject === "time zones");

test("says that an instance's clock is wrong, not its key, when tokens are not valid at its time", () => {
  const limits = { ...instance("limits", { version: "" }), facts: tokenExpired() };
  const found = judgeInstance({ ...limits, clockOffsetMs: undefined }, new Date());
  expect(found.map(({ code }) => code)).toEqual(["serving", "clock_differs"]);
  expect(found[1]?.level).toBe("problem");
});

test.each([
  [[], "and PostgreSQL's agrees for a year"],
  [["CET"], "PostgreSQL's table differs for CET in the coming year"],
  [["CET", "EET", "MET", "WET"], "differs for CET, EET, MET and 1 more in the coming year"],
])("says what it means that time zones differ: %j", (differing, text) => {
  const journal = instance("journal", { version: "2026c", compared: true, differing });
  const finding = aboutTimeZones(journal, instance("web", { version: "2026c" }));
  expect(finding?.level).toBe("ok");
  expect(finding?.message).toMatch(/^The table of Node\.js \(2026c\) decides which day it is/);
  expect(finding?.message).toContain(text);
});

test("warns about services with different tables of time zones", () => {
  const [limits, journal] = [
    instance("limits", { version: "2026b" }),
    instance("journal", { version: "2026c", compared: true }),
  ];
  expect(aboutTimeZones(limits, journal)).toMatchObject({
    level: "warning",
    message: expect.stringContaining("2026b (limits), 2026c (journal)"),
  });
});

test("says when the database's time zones were not compared", () => {
  expect(aboutTimeZones(instance("journal", { version: "2026c" }))).toMatchObject({
    level: "unchecked",
    code: "time_zones_unknown",
  });
});

test("says nothing about time zones of services that do not report them yet", () => {
  expect(aboutTimeZones(instance("limits", { version: "" }))).toBeUndefined();
});
