import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startWeb } from "./service.ts";

await runService({ name: "web", readConfig, start: startWeb });
