import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startJournal } from "./service.ts";

await runService({ name: "journal", readConfig, start: startJournal });
