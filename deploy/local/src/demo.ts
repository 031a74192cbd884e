import { Failure } from "@nutrition/core/failure";
import type { Account } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { DataFolder } from "./data-folder.ts";
import { DEMO_PERSON } from "./demo-person.ts";
import { seedDemo } from "./demo-seed.ts";
import { readJson, writeJson } from "./files.ts";
import type { ReportProgress } from "./fleet.ts";
import { connectOperator, type Operator } from "./operator.ts";
import { localUrl } from "./ports.ts";
import type { Wiring } from "./wiring.ts";

/** Content of `.data/demo.json`. */
export interface Demo {
  base_url: string;
  account_id: string;
  email: string;
  password: string;
  api_key: string;
}

export interface DemoOptions {
  folder: DataFolder;
  wiring: Wiring;
  say: ReportProgress;
  stop: AbortSignal;
}

/** Progress of the history; missing before the first attempt. */
interface SeedState {
  account_id: string;
  is_complete: boolean;
}

const KEY_NAME = "Demo key";
const SCOPES = ["service.read", "nutrition.write"];
const TIMEOUT = { timeoutMs: 10_000 };

/**
 * Finds or creates the demo account, a working key for it, and its history. Completes an
 * interrupted start without doing anything twice.
 */
export async function ensureDemo({ folder, wiring, say, stop }: DemoOptions): Promise<Demo> {
  using operator = connectOperator(wiring);
  const saved = await readJson<Demo>(folder.demo);
  const account = (await findAccount(operator, saved)) ?? (await createAccount(operator));
  const isSame = saved?.account_id === account.id;
  const hasKey = isSame && (await isActive(operator, saved));
  const demo: Demo = {
    base_url: wiring.baseUrl,
    account_id: account.id,
    email: account.email,
    password: wiring.secrets.demoPassword,
    api_key: hasKey ? saved.api_key : await replaceKey(operator, account.id),
  };
  await writeJson(folder.demo, demo);
  await ensureHistory({ folder, wiring, say, stop }, operator, demo);
  return demo;
}

async function ensureHistory(
  { folder, wiring, say, stop }: DemoOptions,
  operator: Operator,
  demo: Demo,
): Promise<void> {
  const saved = await readJson<SeedState>(folder.seed);
  const earlier = saved?.account_id === demo.account_id ? saved : undefined;
  if (earlier?.is_complete) return;
  const state: SeedState = { account_id: demo.account_id, is_complete: false };
  await writeJson(folder.seed, state);
  const gatewayUrl = localUrl(wiring.config.host, wiring.ports.gateway);
  const wasInterrupted = earlier !== undefined;
  await seedDemo({ operator, demo, gatewayUrl, wasInterrupted, say, stop });
  await writeJson(folder.seed, { ...state, is_complete: true });
}

export async function findAccount(
  { auth }: Operator,
  saved: Demo | undefined,
): Promise<Account | undefined> {
  if (saved) {
    const byId = await getAccount(auth, { case: "accountId", value: saved.account_id });
    if (byId) return byId;
  }
  return getAccount(auth, { case: "email", value: DEMO_PERSON.email });
}

async function getAccount(
  auth: Operator["auth"],
  selector: { case: "accountId" | "email"; value: string },
): Promise<Account | undefined> {
  try {
    return (await auth.getAccount({ selector }, TIMEOUT)).account;
  } catch (error) {
    if (error instanceof Failure && error.kind === "not_found") return undefined;
    throw error;
  }
}

export async function createAccount({ auth }: Operator): Promise<Account> {
  const { account } = await auth.createAccount({ ...DEMO_PERSON, hasPremium: true }, TIMEOUT);
  if (!account) throw new Error("auth returned no account after creating it.");
  return account;
}

async function isActive({ auth }: Operator, demo: Demo): Promise<boolean> {
  const { keys } = await auth.listKeys({ accountId: demo.account_id }, TIMEOUT);
  return keys.some((key) => demo.api_key.includes(`_${key.publicId}_`));
}

/** Replaces a key whose text was lost. */
export async function replaceKey({ auth }: Operator, accountId: string): Promise<string> {
  const { keys } = await auth.listKeys({ accountId }, TIMEOUT);
  for (const key of keys.filter(({ name }) => name === KEY_NAME)) {
    await auth.revokeKey({ accountId, selector: { case: "keyId", value: key.id } }, TIMEOUT);
  }
  const { apiKey } = await auth.createKey({ accountId, name: KEY_NAME, scopes: SCOPES }, TIMEOUT);
  return apiKey;
}
