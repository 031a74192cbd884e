import { create } from "@bufbuild/protobuf";
import { DATABASE_CONDITIONS } from "@nutrition/core/database-conditions";
import { DatabaseSchema } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { expect, test } from "vitest";

import { judgeDatabase } from "./judge-database.ts";

const USUAL = { reachable: true, schemaVersion: 3, expectedSchemaVersion: 3, connectionLimit: 10 };

/** What is not fine about a database with these facts: level and code. */
function complaintsOf(facts: object): string[] {
  return judgeDatabase("limits", create(DatabaseSchema, { ...USUAL, ...facts }))
    .filter(({ level }) => level !== "ok")
    .map(({ level, code }) => `${level} ${code}`);
}

test.each(Object.keys(DATABASE_CONDITIONS).filter((name) => name !== "disk_nearly_full"))(
  "%s is a problem, whether the database answers or not",
  (condition) => {
    for (const reachable of [true, false]) {
      const facts = { reachable, conditions: [condition] };
      expect(complaintsOf(facts)).toEqual([`problem database_${condition}`]);
    }
  },
);

test("each condition comes with what to do and the runbook", () => {
  for (const condition of Object.keys(DATABASE_CONDITIONS)) {
    const facts = create(DatabaseSchema, { ...USUAL, conditions: [condition] });
    expect(judgeDatabase("limits", facts)[0]?.advice).toMatch(/\. See docs\/runbooks\/.*\.md\.$/);
  }
});

test("a disk that fills up is a warning", () => {
  const facts = { conditions: ["disk_nearly_full"] };
  expect(complaintsOf(facts)).toEqual(["warning database_disk_nearly_full"]);
});

test("a condition of a newer service is shown with its name", () => {
  const facts = { conditions: ["on_fire"] };
  expect(complaintsOf(facts)).toEqual(["warning database_condition_unknown"]);
});

test("few connections of the whole server are a warning, before they are used up", () => {
  const complaints = (serverConnections: number, serverConnectionLimit = 100) =>
    complaintsOf({ serverConnections, serverConnectionLimit });
  expect(complaints(79)).toEqual([]);
  expect(complaints(80)).toEqual(["warning server_connections_nearly_used"]);
  // Services of older versions report neither.
  expect(complaints(0, 0)).toEqual([]);
});
