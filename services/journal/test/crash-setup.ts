import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { systemClock } from "@nutrition/core/clock";
import type { Clock } from "@nutrition/core/clock";
import { findFreePorts } from "@nutrition/test-support/ports";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import { silentLogger } from "@nutrition/service/logger";
import { FakeAnalysis } from "@nutrition/test-support/fake-services";
import { Network } from "@nutrition/test-support/network";

import { startJournal } from "../src/service.ts";
import type { JournalOverrides } from "../src/service.ts";
import { MIGRATIONS, configOf, instanceOf } from "./harness.ts";
import type { JournalInstance } from "./harness.ts";
import { ObservedDatabase } from "./observed-database.ts";
import type { VictimOrder } from "./victim-main.ts";

const VICTIM = fileURLToPath(new URL("victim-main.ts", import.meta.url));

/** High enough that no call of these tests is refused or has to wait. */
const POLICY_FILE = fileURLToPath(new URL("wide-policies.json", import.meta.url));

/** Real time, but background work runs every 20 ms. */
const IMPATIENT: Clock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(20, signal) };

/** An instance that dies. */
export interface Victim extends JournalInstance {
  /** Resolves with the signal that ended it. */
  readonly death: Promise<NodeJS.Signals | null>;
}

/** The real journal and limits services with their databases; only the analysis is a fake. */
export interface CrashSetup extends AsyncDisposable {
  /** The journal's database. */
  db: TestDatabase;
  limitsDb: TestDatabase;
  analysis: FakeAnalysis;
  /** The surviving instance. The limits service asks it about reservations. */
  survivor: JournalInstance;
  /** Starts another instance in this process. */
  start(overrides?: JournalOverrides): Promise<JournalInstance>;
  /** Starts an instance in a separate process that dies at the last of the moments. */
  startVictim(...moments: string[]): Promise<Victim>;
}

export async function createCrashSetup(): Promise<CrashSetup> {
  const cleanup = new AsyncDisposableStack();
  const identity = await testIdentity();
  const db = cleanup.use(await createTestDatabase("journal", MIGRATIONS));
  const network = cleanup.use(await Network.open(identity));
  const limitsDb = await network.database("limits");
  const analysis = new FakeAnalysis();
  await analysis.start(identity);
  cleanup.use(analysis.server);
  const [port = 0] = await findFreePorts(1);
  const limits = await network.start(
    "limits",
    { LIMITS_POLICY_FILE: POLICY_FILE, JOURNAL_ADDRESS: `127.0.0.1:${port}` },
    { clock: IMPATIENT },
  );
  const config = configOf(identity, {
    url: db.url,
    limitsAddress: limits.address,
    analysisAddress: analysis.server.address,
  });
  const start = async (overrides: JournalOverrides = {}, instanceConfig = config) => {
    const running = await startJournal(instanceConfig, { logger: silentLogger, ...overrides });
    return cleanup.use(instanceOf(identity, running));
  };
  const outbox = new HeldOutbox({ url: db.url, schema: "journal" });
  const survivor = await start({ database: outbox }, { ...config, port });
  const startVictim = async (...moments: string[]) => {
    const order = { config: { ...config, databaseUrl: db.url }, moments };
    const { address, death, kill } = await forkVictim(order);
    outbox.holdUntil(death);
    const instance = instanceOf(identity, { address, [Symbol.asyncDispose]: kill });
    return Object.assign(cleanup.use(instance), { death });
  };
  const dispose = () => cleanup.disposeAsync();
  return { db, limitsDb, analysis, survivor, start, startVictim, [Symbol.asyncDispose]: dispose };
}

/**
 * The survivor's database, whose outbox is not read while a victim lives. The survivor polls it too:
 * it would now and then deliver the victim's message, and the victim would never reach its moment.
 */
class HeldOutbox extends ObservedDatabase {
  #held: Promise<unknown> = Promise.resolve();

  override observe = async (moment: string) => {
    if (moment.startsWith("before update outbox")) await this.#held;
  };

  holdUntil(end: Promise<unknown>): void {
    this.#held = end;
  }
}

async function forkVictim(order: VictimOrder) {
  const child = fork(VICTIM, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const death = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once("exit", (_, signal) => resolve(signal));
  });
  child.send(order);
  const address = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    void death.then(() => reject(new Error("The victim died too early.")));
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await death;
  };
  return { address, death, kill };
}
