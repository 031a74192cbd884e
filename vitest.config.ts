import { configDefaults, defineConfig } from "vitest/config";

/** Files that take half a minute and more each: CI runs them always, others with LONG_TESTS=1. */
const LONG_TESTS = [
  "deploy/local/test/launcher-end.test.ts",
  "deploy/local/test/npm-start.test.ts",
  "services/admin/test/food-import-killed.test.ts",
  "services/gateway/test/described.test.ts",
  "services/journal/test/crash.test.ts",
  "services/journal/test/histories.test.ts",
  "services/shared/service/test/lifecycle.test.ts",
  "services/web/test/pages.browser.test.ts",
  "services/web/test/settings.browser.test.ts",
  "services/web/test/sign-in-methods.browser.test.ts",
  "test/bench/ends.test.ts",
  "test/browser/behind-proxy.e2e.test.ts",
  "test/browser/connect.e2e.test.ts",
  "test/browser/first-time.e2e.test.ts",
  "test/browser/hostile.e2e.test.ts",
  "test/browser/moved-address.e2e.test.ts",
  "test/browser/sdk-oauth.e2e.test.ts",
  "test/cards/acting.e2e.test.ts",
  "test/cards/drawing.e2e.test.ts",
  "test/conformance/conformance.test.ts",
  "test/e2e/limits.e2e.test.ts",
  "test/e2e/observe.e2e.test.ts",
  "test/e2e/telemetry-ends.e2e.test.ts",
  "test/e2e/telemetry.e2e.test.ts",
  "test/faults/failover.test.ts",
  "test/faults/faults.test.ts",
  "test/faults/full-disk.test.ts",
  "test/helm/environment.test.ts",
  "test/observability/collector.test.ts",
  "test/observability/observability.test.ts",
  "test/recording/recording.e2e.test.ts",
  "test/reference/examples.e2e.test.ts",
  "test/reference/pages.e2e.test.ts",
  "test/reference/recipes.e2e.test.ts",
  "test/rotation/rotation.test.ts",
  "test/tilt/seed.test.ts",
  "test/workflows/release.test.ts",
];

/** Files that need the machine to themselves: CI runs them after the others, with ALONE_TESTS=1. */
const ALONE_TESTS = ["test/replicas/replicas.test.ts"];

const isAlone = process.env["ALONE_TESTS"] === "1";
const left = process.env["LONG_TESTS"] === "1" ? ALONE_TESTS : [...ALONE_TESTS, ...LONG_TESTS];

export default defineConfig({
  test: {
    include: isAlone
      ? ALONE_TESTS
      : ["proto", "services", "deploy", "test"].map((folder) => `${folder}/**/*.test.ts`),
    exclude: [...configDefaults.exclude, ...(isAlone ? [] : left)],
    globalSetup: ["test/setup/postgres.ts"],
    pool: "forks",
    // Test files of a worker share its modules, none of which keeps state; it saves a minute and more.
    isolate: false,
    maxWorkers: 2,
    // Generous, because property tests and starts of processes take long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // The default of a second is less than a busy machine can take.
    expect: { poll: { timeout: 10_000 } },
  },
});
