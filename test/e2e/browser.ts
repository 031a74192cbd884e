import type { System } from "./system.ts";

/** A visitor with a cookie jar. */
export class Browser {
  readonly #system: System;
  readonly cookies = new Map<string, string>();

  constructor(system: System) {
    this.#system = system;
  }

  async get(path: string): Promise<{ status: number; body: string }> {
    return this.#send(path, {});
  }

  /** Submits the form on that page. */
  async post(path: string, fields: Record<string, string>) {
    const { body } = await this.get(path);
    const token = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? "";
    return this.#send(path, {
      method: "POST",
      body: new URLSearchParams({ csrf: token, ...fields }),
      headers: { origin: this.#system.baseUrl },
    });
  }

  async #send(path: string, init: RequestInit): Promise<{ status: number; body: string }> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { ...(init.headers as Record<string, string>), cookie };
    const response = await fetch(this.#system.baseUrl + path, {
      ...init,
      headers,
      redirect: "manual",
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    return { status: response.status, body: await response.text() };
  }
}
