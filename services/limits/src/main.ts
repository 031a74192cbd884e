import { join } from "node:path";

import { untilMigrated } from "@nutrition/postgres/migrated-schema";
import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startLimits } from "./service.ts";

const SCHEMA = { schema: "limits", folder: join(import.meta.dirname, "../migrations") };

await runService({
  name: "limits",
  readConfig,
  waitFor: ({ DATABASE_URL: databaseUrl, DATABASE_PASSWORD_FALLBACK: fallbackPassword }, waiting) =>
    untilMigrated({ ...SCHEMA, url: databaseUrl.reveal(), fallbackPassword, ...waiting }),
  start: startLimits,
});
