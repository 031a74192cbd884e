import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startAnalysis } from "./service.ts";

await runService({ name: "analysis", readConfig, start: startAnalysis });
