import type { IncomingHttpHeaders } from "node:http";

import { isLoopbackName } from "@nutrition/core/loopback";

import { HttpRefusal } from "../http/refusal.ts";

export interface OriginGuardOptions {
  baseUrl: string;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
}

/**
 * Refuses web pages of other sites at the tool endpoint, including those that use DNS rebinding, and
 * tells which names are our own. For an installation on loopback, every loopback name and port is our own
 * site.
 */
export class OriginGuard {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #isLoopback: boolean;
  /** The last allowed Host: nearly always the next one, too, and parsing it costs as much as parsing the body. */
  #lastAllowedHost: string | undefined;

  constructor({ baseUrl, allowedOrigins, allowedHosts }: OriginGuardOptions) {
    const own = new URL(baseUrl);
    this.#isLoopback = isLoopbackName(own.hostname);
    this.#origins = new Set([own.origin, ...allowedOrigins]);
    this.#hosts = new Set([own.hostname, ...allowedHosts]);
  }

  /** Throws the refusal `forbidden_origin`. */
  assertAllowed(headers: IncomingHttpHeaders): void {
    this.assertOwnHost(headers);
    const { origin } = headers;
    if (origin !== undefined && !this.isOriginAllowed(origin)) {
      throw forbidden("Web pages from this origin are not allowed to call the tool endpoint.");
    }
  }

  /** Throws the refusal `forbidden_origin` for a foreign Host. */
  assertOwnHost({ host }: IncomingHttpHeaders): void {
    if (!this.isOwnHost(host)) {
      throw forbidden("The Host header does not name this service. Use its documented address.");
    }
  }

  /** Whether a Host header names this service. */
  isOwnHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (host === this.#lastAllowedHost) return true;
    if (!this.#isNameAllowed(URL.parse(`http://${host}`)?.hostname)) return false;
    this.#lastAllowedHost = host;
    return true;
  }

  /** Whether pages of this origin may use the service. */
  isOriginAllowed(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    const hostname = URL.parse(origin)?.hostname;
    return this.#isLoopback && hostname !== undefined && isLoopbackName(hostname);
  }

  #isNameAllowed(hostname: string | undefined): boolean {
    if (hostname === undefined) return false;
    return this.#hosts.has(hostname) || (this.#isLoopback && isLoopbackName(hostname));
  }
}

function forbidden(message: string): HttpRefusal {
  return new HttpRefusal("forbidden_origin", message);
}
