import { runService } from "@nutrition/service/lifecycle";

import { readConfig } from "./config.ts";
import { startViewer } from "./viewer.ts";

await runService({ name: "observe", readConfig, start: startViewer });
