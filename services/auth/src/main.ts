import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startAuth } from "./service.ts";

await runService({ name: "auth", readConfig, start: startAuth });
