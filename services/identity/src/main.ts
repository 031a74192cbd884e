import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startIdentity } from "./service.ts";

await runService({ name: "identity", readConfig, start: startIdentity });
