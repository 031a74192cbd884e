// An instance in a separate process that ends itself, as by kill -9, at a moment of its work. Its
// parent's first message configures it, and it responds with its address.
import { Secret } from "@nutrition/core/secret";
import { silentLogger } from "@nutrition/service/logger";

import type { JournalConfig } from "../src/config.ts";
import { startJournal } from "../src/service.ts";
import { ObservedDatabase, atMoment } from "./observed-database.ts";

/** Configuration of a victim. */
export interface VictimOrder {
  config: Omit<JournalConfig, "databaseUrl"> & { databaseUrl: string };
  /** Its moments, the last of which it does not survive. */
  moments: readonly string[];
}

// A parent that dies takes its victims along.
process.once("disconnect", () => process.exit());
process.once("message", async ({ config, moments }: VictimOrder) => {
  const database = new ObservedDatabase({ url: config.databaseUrl, schema: "journal" });
  database.observe = atMoment(moments, () => {
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  });
  const complete = { ...config, databaseUrl: new Secret(config.databaseUrl) };
  const { address } = await startJournal(complete, { database, logger: silentLogger });
  process.send?.(address);
});
