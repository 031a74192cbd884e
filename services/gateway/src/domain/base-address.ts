import { isLoopback, isLoopbackName } from "@nutrition/core/loopback";

/** The address of the installation, as clients type it. */
export class BaseAddress {
  readonly #url: string;
  /** Scheme and port of a loopback installation; undefined for any other. */
  readonly #loopback: Pick<URL, "protocol" | "port"> | undefined;

  /** `url` has no trailing slash. */
  constructor(url: string) {
    this.#url = url;
    this.#loopback = isLoopback(url) ? new URL(url) : undefined;
  }

  /** Whether `asTyped` depends on the request. */
  get followsHost(): boolean {
    return this.#loopback !== undefined;
  }

  /**
   * The address that the client typed. Clients compare it with what they are told (RFC 9728 §3.3), so an
   * installation on loopback answers to localhost, 127.0.0.1 and [::1] alike, on its own port. Every other
   * installation, and every other Host, gets the configured address.
   */
  asTyped(host: string | undefined): string {
    if (this.#loopback === undefined || host === undefined) return this.#url;
    const { protocol, port } = this.#loopback;
    const typed = URL.parse(`${protocol}//${host}`);
    if (typed === null || typed.port !== port || !isLoopbackName(typed.hostname)) return this.#url;
    // Rebuilt, because a Host may contain user information and a path.
    return typed.origin + new URL(this.#url).pathname.replace(/\/$/, "");
  }
}
