import { join } from "node:path";

import { untilMigrated } from "@nutrition/postgres/migrated-schema";
import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startAuth } from "./service.ts";

const SCHEMA = { schema: "auth", folder: join(import.meta.dirname, "../migrations") };

await runService({
  name: "auth",
  readConfig,
  waitFor: ({ databaseUrl, databasePasswordFallback: fallbackPassword }, waiting) =>
    untilMigrated({ ...SCHEMA, url: databaseUrl.reveal(), fallbackPassword, ...waiting }),
  start: startAuth,
});
