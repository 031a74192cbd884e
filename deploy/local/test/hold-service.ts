// A launcher that the test kills: launches a program whose log is "held", and waits.
import { LogOutputs } from "../src/log-outputs.ts";
import { launchService } from "../src/service-process.ts";

const [main = "", folder = ""] = process.argv.slice(2);
const logs = new LogOutputs(folder, ["held"], () => {});
await launchService({ main, environment: {}, log: logs.of("held") });
process.send?.("launched");
