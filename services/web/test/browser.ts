import { parseSetCookie } from "cookie";

/** A response with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Redirect address; empty without one. */
  readonly location: string;
}

/** A browser without scripts: it stores cookies and sends forms. */
export class Browser {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly cookies = new Map<string, string>();
  /** Cookies as the site set them. */
  readonly setCookies: string[] = [];

  /** `headers` are sent with every request that does not name its own. */
  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(path, { headers });
  }

  /** Sends a form with the secret from the site's own pages. */
  async post(
    path: string,
    fields: Record<string, string | string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (!this.csrfToken) await this.get("/no-such-page");
    const form = new URLSearchParams({ csrf: this.csrfToken ?? "" });
    for (const [name, values] of Object.entries(fields)) {
      form.delete(name);
      for (const value of [values].flat()) form.append(name, value);
    }
    return this.#send(path, { method: "POST", body: form, headers });
  }

  /** Follows redirects within the site and returns the first page. */
  async follow(answer: Answer): Promise<Answer> {
    let last = answer;
    for (let hops = 0; hops < 5 && last.location !== ""; hops += 1) {
      const target = new URL(last.location, this.#baseUrl);
      if (target.origin !== new URL(this.#baseUrl).origin) return last;
      last = await this.get(target.pathname + target.search);
    }
    return last;
  }

  get csrfToken(): string | undefined {
    return this.cookies.get("nutrition-csrf");
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, this.#baseUrl), {
      ...init,
      redirect: "manual",
      headers: { ...this.#headers, ...(init.headers as Record<string, string>), cookie },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  }

  #keep(line: string): void {
    this.setCookies.push(line);
    const { name, value = "", maxAge } = parseSetCookie(line);
    if (maxAge === 0) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
