import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { servicesOf, watchSources } from "./watch.ts";

const ALL = ["auth", "limits", "analysis", "journal", "gateway", "web", "identity"];

test.each([
  ["services/journal/src/domain/entry.ts", ["journal"]],
  ["services/limits/policies.json", ["limits"]],
  ["services/auth/migrations/0009_more.sql", ["auth"]],
  ["services/web/assets/page.css", ["web"]],
  ["services/shared/core/src/clock.ts", ALL],
  ["proto/gen/nutrition/auth/v1/auth_pb.ts", ALL],
])("a change of %s restarts the services that have read it", (path, services) => {
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
])("a change of %s restarts nothing", (path) => {
  expect(servicesOf(path)).toEqual([]);
});

test("a change is reported with the services to restart and whether to migrate the database", async () => {
  const root = await mkdtemp(join(tmpdir(), "watched-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["proto/gen", "services/limits/src", "services/auth/migrations"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  const onChange = vi.fn();
  const watching = watchSources({ onChange, onError: vi.fn(), root });
  onTestFinished(() => watching[Symbol.dispose]());
  await writeFile(join(root, "services/limits/src/config.ts"), "export const a = 1;\n");
  await expect
    .poll(() => onChange.mock.lastCall)
    .toEqual([{ services: ["limits"], hasMigrations: false }]);
  await writeFile(join(root, "services/auth/migrations/0002_more.sql"), "select 1;\n");
  await expect
    .poll(() => onChange.mock.lastCall)
    .toEqual([{ services: ["auth"], hasMigrations: true }]);
});
