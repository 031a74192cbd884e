import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startLimits } from "./service.ts";

await runService({ name: "limits", readConfig, start: startLimits });
