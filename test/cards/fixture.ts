import type { Browser } from "playwright-core";

import { launchChromium } from "../../services/web/test/chromium.ts";
import { System } from "../e2e/system.ts";
import type { Showing } from "./card-host.ts";
import { CardHost } from "./card-host.ts";
import { JournalClient } from "./journal-client.ts";

export interface Item {
  readonly id: string;
  readonly description: string;
  readonly calories: number;
}

type Arguments = Record<string, unknown>;

/** A person's journal in the running system, with an assistant that shows its cards. */
export class Diner implements AsyncDisposable {
  readonly #system: System;
  readonly #browser: Browser;
  readonly #key: string;
  readonly client: JournalClient;

  constructor(setup: { system: System; browser: Browser; key: string; client: JournalClient }) {
    this.#system = setup.system;
    this.#browser = setup.browser;
    this.#key = setup.key;
    this.client = setup.client;
  }

  /** Calls the tool and shows its result in the tool's card. */
  async show(tool: string, args: Arguments = {}, showing: Partial<Showing> = {}) {
    const result = await this.client.call({ name: tool, arguments: args });
    const card = await this.client.cardOf(tool);
    const callTool = this.client.call.bind(this.client);
    return showCard(this.#browser, { card, result, input: args, callTool, ...showing });
  }

  /** The lines of a day, over REST. */
  async lines(date: string): Promise<string[]> {
    return (await this.items(date)).map(({ description }) => description);
  }

  async items(date: string): Promise<Item[]> {
    const { body } = await this.#system.get(`/api/v1/nutrition/summary?date=${date}`, this.#key);
    const { entries } = body as { entries: { items: Item[] }[] };
    return entries.flatMap(({ items }) => items);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}

/** Shows a card, and waits until it is drawn. */
async function showCard(browser: Browser, showing: Showing): Promise<CardHost> {
  const host = await CardHost.show(browser, showing);
  await host.frame.locator(".card").waitFor();
  return host;
}

/** The running system with a browser. */
export class Table implements AsyncDisposable {
  readonly system: System;
  readonly browser: Browser;

  private constructor(system: System, browser: Browser) {
    this.system = system;
    this.browser = browser;
  }

  static async lay(environment: NodeJS.ProcessEnv = {}): Promise<Table> {
    const system = await System.start(environment);
    return new Table(system, await launchChromium());
  }

  /** Shows a result that was recorded. */
  show(showing: Showing): Promise<CardHost> {
    return showCard(this.browser, showing);
  }

  /** A new account with premium, and a key of both permissions. */
  async seat(name: string): Promise<Diner> {
    const { key } = await this.system.account(`${name}@example.com`, "--premium");
    return this.seatWith(key);
  }

  async seatWith(key: string): Promise<Diner> {
    const { system, browser } = this;
    const client = await JournalClient.connect(system.baseUrl, key);
    return new Diner({ system, browser, key, client });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.system[Symbol.asyncDispose]();
  }
}
