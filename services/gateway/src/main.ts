import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startGateway } from "./service.ts";

await runService({ name: "gateway", readConfig, start: startGateway, garbageMiB: 24 });
