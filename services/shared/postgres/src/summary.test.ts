import { expect, it } from "vitest";

import { fragment, prepared, sql } from "./sql.ts";

it.each([
  [sql`select * from items where description = ${"2 eggs from a farm"}`, "select items"],
  [sql`insert into "usage_events" (id) values (${1})`, "insert usage_events"],
  [sql`delete from only limits.entries`, "delete limits.entries"],
  [sql`update items set x = (select 1 from y)`, "update items"],
  [sql`with due as (select id from outbox) select * from due`, "select outbox"],
  [sql`select now()`, "select"],
  [prepared("journal.summary", "select 1")(), "journal.summary"],
])(
  "a statement's summary has its operation and table, and no values (%#)",
  (statement, summary) => {
    expect(statement.summary).toBe(summary);
  },
);

it("a reused template has the same text and other values", () => {
  const [one, other] = [1, 2].map((id) => sql`select ${id}::int as id`);
  expect([one, other]).toMatchObject([{ values: [1] }, { values: [2] }]);
  expect(one?.text).toBe(other?.text);
});

it("a fragment is inserted into the text, and the parameters around it keep their order", () => {
  const columns = fragment("a, b");
  const insert = (from: typeof columns) => sql`insert into t (${from}) values (${1}, ${2})`;
  expect(insert(columns)).toMatchObject({
    text: "insert into t (a, b) values ($1, $2)",
    values: [1, 2],
  });
  expect(insert(columns).values).toEqual([1, 2]);
  expect(() => insert(fragment("c"))).toThrow("fragment has changed");
});
