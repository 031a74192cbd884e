import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["proto", "services", "deploy", "test"].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: ["test/setup/postgres.ts"],
    pool: "forks",
    // Test files of a worker share its modules, none of which keeps state; it saves a minute and more.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
});
