import type { AdminConfig } from "@nutrition/admin/config";
import { eraseAccount } from "@nutrition/admin/erase-account";
import { exportJournal } from "@nutrition/admin/export/export-journal";
import { Services } from "@nutrition/admin/services";
import { systemClock } from "@nutrition/core/clock";
import { addressOf } from "@nutrition/local/services";
import { OPERATOR, RPC_SERVICES } from "@nutrition/local/topology";

import { connectAssistant } from "../../e2e/assistants.ts";
import { familyCpuMicros } from "../cpu.ts";
import type { MeasuredServices } from "../edge/services.ts";
import type { Person } from "./people.ts";

/** Cost of a single piece of work. */
export interface Work {
  name: string;
  /** CPU of all processes. */
  cpuMs: number;
  elapsedMs: number;
}

/** Exports and erases an account as the operator does, and says what each took. */
export async function measureRights(services: MeasuredServices, person: Person): Promise<Work[]> {
  using operator = new Services(() => configOf(services));
  const { accountId } = person;
  const exported = await workOf(services, "export", async () => {
    const counts = { entry: 0, weight: 0, mutation: 0 };
    const pieces = exportJournal(operator, { account: accountId, format: "json" }, counts);
    let characters = 0;
    for await (const piece of pieces) characters += piece.length;
    if (counts.entry === 0 || characters === 0) throw new Error("The export has no entries.");
  });
  const erased = await workOf(services, "erase", async () => {
    // Gateways forget credentials within 5 s, which is no work.
    const hasty = { ...systemClock, sleep: async () => {} };
    const { existed } = await eraseAccount(operator, accountId, hasty);
    if (!existed) throw new Error("The account was not there.");
  });
  return [exported, erased];
}

async function workOf(
  { processes }: MeasuredServices,
  name: string,
  work: () => Promise<void>,
): Promise<Work> {
  const cpu = () => Object.values(processes).reduce((sum, pid) => sum + familyCpuMicros(pid), 0);
  const [before, startedMs] = [cpu(), performance.now()];
  await work();
  const elapsedMs = performance.now() - startedMs;
  return { name, cpuMs: (cpu() - before) / 1_000, elapsedMs };
}

function configOf({ wiring }: MeasuredServices): AdminConfig {
  const addresses = RPC_SERVICES.map((name) => [name, addressOf(wiring.ports[name])]);
  return {
    addresses: Object.fromEntries(addresses) as Record<string, string>,
    privateKey: wiring.secrets.identityKeys[OPERATOR] as AdminConfig["privateKey"],
    internalTls: undefined,
    baseUrl: wiring.baseUrl,
    authUrl: undefined,
    authApiKey: undefined,
  };
}

/** Asks for every read, and writes, changes, merges and deletes food, each as an assistant does. */
export async function askEverything(
  { baseUrl }: MeasuredServices,
  { apiKey }: Person,
  paths: readonly string[],
): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  for (const path of paths) {
    const response = await fetch(baseUrl + path, { headers: { authorization } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    await response.arrayBuffer();
  }
  await using assistant = await connectAssistant(baseUrl, apiKey);
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { isError, structured, text } = await assistant.call(tool, args);
    if (isError || !structured) throw new Error(`${tool}: ${text}`);
    return structured;
  };
  const food = "2 boiled eggs\n1 apple\n1 banana\n1 glass of water";
  const { items } = (await call("log_food", { food_text: food })) as { items: { id: string }[] };
  const [first, second, third, fourth] = items.map(({ id }) => id);
  await call("edit_food_item", { item_id: first, replacement_text: "3 boiled eggs" });
  await call("merge_food_items", { item_ids: [second, third], merged_text: "fruit" });
  await call("delete_food_item", { item_id: fourth });
}
