import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";

import type { System } from "../e2e/system.ts";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export type Permission = "Read only" | "Read and log";

/** A person with a separate browser, who uses the pages through their visible controls. */
export class Person implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #baseUrl: string;
  /** Things that must never happen: dialogs, script errors, violations of the content policy. */
  readonly alarms: string[] = [];
  /** Origins that the pages requested. */
  readonly origins = new Set<string>();

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context;
    this.page = page;
    this.#baseUrl = baseUrl;
    page.setDefaultTimeout(10_000);
    page.on("dialog", (dialog) => {
      this.alarms.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", ({ message }) => this.alarms.push(`script: ${message}`));
    page.on("console", (message) => {
      const text = message.text();
      if (text.includes("Content Security Policy")) this.alarms.push(text);
    });
    page.on("request", (request) => this.origins.add(new URL(request.url()).origin));
  }

  static async arrive(
    browser: Browser,
    { baseUrl }: Pick<System, "baseUrl">,
    options: BrowserContextOptions = {},
  ): Promise<Person> {
    const context = await browser.newContext(options);
    return new Person(context, await context.newPage(), baseUrl);
  }

  /** Opens one of our pages and returns the status of the response. */
  async open(path: string): Promise<number> {
    const answer = await this.page.goto(new URL(path, this.#baseUrl).href);
    return answer?.status() ?? 0;
  }

  async signIn(credentials: Credentials): Promise<void> {
    await this.open("/sign-in");
    await this.fillSignIn(credentials);
    await this.page.waitForURL(/\/journal/);
  }

  /** Works on any page that asks to sign in. */
  async fillSignIn({ email, password }: Credentials): Promise<void> {
    await this.page.getByLabel("E-mail address").fill(email);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  /** The text of the first heading. */
  async heading(): Promise<string> {
    return this.page.locator("h1").innerText();
  }

  /** For the consent page. Returns the redirect. */
  async allow(permission: Permission, redirectUri: string): Promise<URL> {
    return this.#decide(permission, redirectUri);
  }

  async deny(redirectUri: string): Promise<URL> {
    return this.#decide("Deny", redirectUri);
  }

  /** The section of one assistant on the page of assistants. */
  assistant(name: string): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }

  async changePermission(name: string, permission: Permission): Promise<void> {
    await this.open("/settings/connections");
    await this.assistant(name).getByLabel("It may").selectOption(permission);
    await this.assistant(name).getByRole("button", { name: "Change" }).click();
    await this.page.getByText("The permission was changed").waitFor();
  }

  async disconnect(name: string): Promise<void> {
    await this.open("/settings/connections");
    await this.assistant(name).getByRole("link", { name: "Disconnect" }).click();
    await this.page.getByRole("button", { name: "Disconnect" }).click();
    await this.page.getByText("The assistant is disconnected").waitFor();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }

  /** The client's address is answered here, so that no request leaves this machine. */
  async #decide(decision: Permission | "Deny", redirectUri: string): Promise<URL> {
    const isReturn = (url: URL) => url.href.startsWith(redirectUri);
    await this.page.route(isReturn, (route) => route.fulfill({ body: "Back at the assistant." }));
    await this.page.getByRole("button", { name: decision, exact: true }).click();
    await this.page.waitForURL(isReturn);
    return new URL(this.page.url());
  }
}
