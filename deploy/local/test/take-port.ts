// Preloaded into a launcher: takes the port of the limits service once, just when the service is
// launched, as another program might.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";

type Spawn = (
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv },
) => unknown;

const spawn = childProcess.spawn as unknown as Spawn;
let isTaken = false;

const takingSpawn: Spawn = (command, args, options) => {
  const port = Number(options.env?.["RPC_PORT"]);
  if (!isTaken && args.some((arg) => arg.includes("services/limits/"))) {
    isTaken = true;
    createServer().listen(port, "127.0.0.1").unref();
  }
  return spawn(command, args, options);
};

Object.assign(childProcess, { spawn: takingSpawn });
syncBuiltinESMExports();
