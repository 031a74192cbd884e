import { join } from "node:path";

import { untilMigrated } from "@nutrition/postgres/migrated-schema";
import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startAnalysis } from "./service.ts";

const SCHEMA = { schema: "analysis", folder: join(import.meta.dirname, "../migrations") };

await runService({
  name: "analysis",
  readConfig,
  waitFor: ({ DATABASE_URL: databaseUrl, DATABASE_PASSWORD_FALLBACK: fallbackPassword }, waiting) =>
    untilMigrated({ ...SCHEMA, url: databaseUrl.reveal(), fallbackPassword, ...waiting }),
  start: startAnalysis,
});
