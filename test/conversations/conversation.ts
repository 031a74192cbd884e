import { expect } from "vitest";

import type { Assistant } from "../e2e/assistants.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import type { System } from "../e2e/system.ts";

type Arguments = Record<string, unknown>;

/** Actions of an assistant and its person. The assistant reads only texts. */
export interface Conversation {
  readonly accountId: string;
  /** Calls a tool and returns its text. */
  call(tool: string, args?: Arguments): Promise<string>;
}

export interface Person {
  /** Name of the account. */
  name: string;
  flags?: readonly string[];
  /** Permissions of the key; both by default. */
  scopes?: string;
  /** The demo account instead. */
  isDemo?: boolean;
}

/** Runs a conversation, limited to the number of calls that an expert would need. */
export async function converse(
  system: System,
  person: Person,
  callsMax: number,
  script: (conversation: Conversation) => Promise<void>,
): Promise<void> {
  const { id, key } = await accountOf(system, person);
  await using assistant: Assistant = await connectAssistant(system.baseUrl, key);
  let calls = 0;
  await script({
    accountId: id,
    async call(tool, args = {}) {
      calls += 1;
      return (await assistant.call(tool, args)).text;
    },
  });
  expect(calls).toBeLessThanOrEqual(callsMax);
}

async function accountOf(system: System, { name, flags, scopes, isDemo }: Person) {
  if (isDemo) {
    const demo = await system.demo();
    return { id: demo.account_id, key: demo.api_key };
  }
  const email = `${name.replaceAll(" ", "-")}@example.com`;
  const zone = ["--timezone", "Europe/Berlin"];
  const account = await system.account(email, ...(flags ?? ["--premium", ...zone]));
  if (scopes === undefined) return account;
  const { key } = await system.admin<{ key: string }>(
    ...["keys", "create", "--account", account.id, "--scopes", scopes],
  );
  return { id: account.id, key };
}

/** The items in a text, with their line and id. */
export function itemsIn(text: string): { line: string; id: string }[] {
  return [...text.matchAll(/^- (.*): [\d.]+ kcal.*item_id ([0-9a-f-]{36})$/gm)].map(
    ([, line = "", id = ""]) => ({ line, id }),
  );
}

/** The id of the only item whose line contains the words. */
export function idOf(text: string, words: string): string {
  const found = itemsIn(text).filter(({ line }) => line.includes(words));
  expect(found, text).toHaveLength(1);
  return found[0]?.id ?? "";
}

/** The error in a text. */
export function errorIn(text: string): { error: string; message: string } & Arguments {
  return JSON.parse(text) as { error: string; message: string } & Arguments;
}

/** The day's totals in kcal from a text. */
export function totalIn(text: string): number {
  return Number(/^Day totals: ([\d.]+) kcal/m.exec(text)?.[1]);
}
