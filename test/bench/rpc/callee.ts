import { silentLogger } from "@nutrition/core/logger";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";

// The callee of the rpc benchmark, in a separate process: returns a summary of 1.4 kB, and reports
// its address and, on request, its CPU time.
const trustedKeys = JSON.parse(process.env["TRUSTED_KEYS"] ?? "") as { keys: [] };
const json = new TextEncoder().encode("x".repeat(1_400));
const server = await startRpcServer({
  host: "127.0.0.1",
  port: 0,
  identity: new IdentityVerifier({ service: "journal", trustedKeys }),
  logger: silentLogger,
  services: [
    bind(
      JournalService,
      { getSummary: async () => ({ json }) },
      { getSummary: { callers: ["gateway"], user: "required" } },
    ),
  ],
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once("disconnect", () => process.exit());
process.send?.(server.address);
