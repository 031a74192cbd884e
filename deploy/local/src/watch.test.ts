import { expect, test } from "vitest";

import { servicesOf } from "./watch.ts";

const ALL = ["auth", "limits", "analysis", "journal", "gateway", "web", "identity"];

test.each([
  ["services/journal/src/domain/entry.ts", ["journal"]],
  ["services/limits/policies.json", ["limits"]],
  ["services/auth/migrations/0009_more.sql", ["auth"]],
  ["services/web/assets/page.css", ["web"]],
  ["services/shared/core/src/clock.ts", ALL],
  ["proto/gen/nutrition/auth/v1/auth_pb.ts", ALL],
])("a change of %s starts those again that have read it", (path, services) => {
  expect([...servicesOf(path)].toSorted()).toEqual(services.toSorted());
});

test.each([
  "services/journal/test/merge.test.ts",
  "services/journal/src/domain/entry.test.ts",
  "services/web/README.md",
  "services/web/node_modules/express/index.js",
  "services/admin/src/main.ts",
  "services/journal/src/.entry.ts.swp",
  "docs/architecture.md",
])("a change of %s starts nothing again", (path) => {
  expect(servicesOf(path)).toEqual([]);
});
