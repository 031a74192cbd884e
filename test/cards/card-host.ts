import { join } from "node:path";

import type { Browser, Frame, Locator, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { expect } from "vitest";

const HOST_URL = "https://host.example/";
const CARD_URL = "https://card.example/";

/** The answer to `resources/read` for a card. */
export interface CardResource {
  readonly text: string;
  readonly mimeType: string;
  readonly _meta: { readonly ui: { readonly csp: Readonly<Record<string, readonly string[]>> } };
}

export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
}

export interface Showing {
  readonly card: CardResource;
  /** The tool's result as the server answered it; a card without one waits. */
  readonly result?: unknown;
  readonly input?: Record<string, unknown>;
  /** Passes a call of the card on to the server. */
  readonly callTool?: (call: ToolCall) => Promise<unknown>;
  readonly context?: Record<string, unknown>;
  readonly capabilities?: Record<string, unknown>;
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

let hostScript: Promise<string> | undefined;

/** The host's page with its script, which is bundled once. */
async function hostPage(): Promise<string> {
  hostScript ??= bundleHost();
  return `<!doctype html><html lang="en"><title>Host</title><body style="margin:0">
    <iframe title="Card" sandbox="allow-scripts" style="border:0;width:100%;height:20px"></iframe>
    <script type="module">${await hostScript}</script></body></html>`;
}

async function bundleHost(): Promise<string> {
  const input = join(import.meta.dirname, "host-page.js");
  await using build = await rolldown({ input, platform: "browser" });
  const { output } = await build.generate({ format: "es" });
  return output[0].code.replaceAll("</script", "<\\/script");
}

/** A browser page that shows a card as hosts do: in a sandbox, under the policy that it declares. */
export class CardHost implements AsyncDisposable {
  readonly page: Page;
  /** Addresses that the page or the card has asked for. */
  readonly requests: string[] = [];
  /** Errors and warnings of the console, and exceptions. */
  readonly alarms: string[] = [];
  readonly opened: string[] = [];
  /** The latest update of the model's context. */
  told = "";

  private constructor(page: Page) {
    this.page = page;
  }

  static async show(browser: Browser, showing: Showing): Promise<CardHost> {
    const { width = 720, colorScheme = "light" } = showing;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const host = new CardHost(page);
    await host.#prepare(showing);
    await page.goto(HOST_URL);
    const { context = {}, capabilities = ALL_CAPABILITIES, input = {}, result } = showing;
    const order = { url: CARD_URL, capabilities, context, input, result };
    await page.waitForFunction("typeof showCard === 'function'");
    await page.evaluate(`showCard(${JSON.stringify(order)})`);
    return host;
  }

  async #prepare({ card, callTool }: Showing): Promise<void> {
    const { text, _meta: meta } = card;
    const { page, requests, alarms, opened } = this;
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => alarms.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) alarms.push(message.text());
    });
    await page.exposeFunction(
      "callTool",
      callTool ?? (() => Promise.reject(new Error("No tools"))),
    );
    await page.exposeFunction("openLink", (url: string) => void opened.push(url));
    await page.exposeFunction("tellModel", (params: { content: { text: string }[] }) => {
      this.told = params.content[0]?.text ?? "";
    });
    await page.route(HOST_URL, async (route) =>
      route.fulfill({ contentType: "text/html", body: await hostPage() }),
    );
    await page.route(CARD_URL, (route) =>
      route.fulfill({
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": policyOf(meta.ui.csp) },
        body: text,
      }),
    );
  }

  /** The card itself. */
  get frame(): Frame {
    const frame = this.page.frames().find((one) => one.url() === CARD_URL);
    if (!frame) throw new Error("The card is not there");
    return frame;
  }

  /** Visible text of the card, on one line. */
  async text(): Promise<string> {
    return (await this.frame.locator("main").innerText()).replaceAll(/\s+/g, " ");
  }

  /** Clicks once the host has adopted the card's height; a resize between press and release loses the click. */
  async click(target: Locator): Promise<void> {
    await target.waitFor();
    await expect.poll(() => this.#hasItsHeight()).toBe(true);
    await target.click();
  }

  async #hasItsHeight(): Promise<boolean> {
    const wanted = await this.frame.evaluate("document.body.getBoundingClientRect().height");
    const given = await this.page.evaluate("document.querySelector('iframe').clientHeight");
    return given === Math.ceil(Number(wanted));
  }

  /** Requests beside the two pages themselves. */
  get leaks(): string[] {
    return this.requests.filter((url) => url !== HOST_URL && url !== CARD_URL);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close();
  }
}

const ALL_CAPABILITIES = { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } };

/** The policy that the specification has hosts make of what a card declares. */
function policyOf(csp: Readonly<Record<string, readonly string[]>>): string {
  const origins = (name: string) => (csp[name] ?? []).join(" ");
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${origins("resourceDomains")}`,
    `style-src 'self' 'unsafe-inline' ${origins("resourceDomains")}`,
    `connect-src 'self' ${origins("connectDomains")}`,
    `img-src 'self' data: ${origins("resourceDomains")}`,
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join("; ");
}
