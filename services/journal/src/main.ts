import { join } from "node:path";

import { untilMigrated } from "@nutrition/postgres/migrated-schema";
import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startJournal } from "./service.ts";

const SCHEMA = { schema: "journal", folder: join(import.meta.dirname, "../migrations") };

await runService({
  name: "journal",
  readConfig,
  waitFor: ({ databaseUrl, databasePasswordFallback: fallbackPassword }, waiting) =>
    untilMigrated({ ...SCHEMA, url: databaseUrl.reveal(), fallbackPassword, ...waiting }),
  start: startJournal,
  garbageMiB: 24,
});
