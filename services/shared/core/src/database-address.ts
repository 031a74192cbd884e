/** What a database address may require of the server; the services write, so both exclude standbys. */
const SESSION_ATTRS = ["primary", "read-write"] as const;
export type TargetSessionAttrs = (typeof SESSION_ATTRS)[number];

/** Scheme, credentials, hosts and the rest. WHATWG's parser refuses several hosts with ports. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(.*)$/s;
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:[\]]+)(?::\d{1,5})?$/i;

/**
 * `postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=primary`, as in
 * PostgreSQL's own clients: one or several hosts, each with a port of its own, 5432 by default.
 */
export class DatabaseAddress {
  readonly #parts: readonly [scheme: string, credentials: string, hosts: string, rest: string];

  /** Throws a message for the operator, without the address, which contains a password. */
  constructor(text: string) {
    const [, scheme, credentials = "", hosts, rest] = ADDRESS.exec(text) ?? [];
    if (scheme === undefined || hosts === undefined || rest === undefined) throw malformed();
    this.#parts = [scheme, credentials, hosts, rest];
    // Only a single host may be absent, for a socket that the parameter "host" names.
    const isOne = hosts === "" || this.hosts.every((host) => HOST.test(host));
    if (!isOne || (hosts !== "" && !this.urls.every((url) => URL.canParse(url)))) throw malformed();
    const wanted = this.#parameters.get("target_session_attrs");
    if (wanted !== null && !SESSION_ATTRS.some((known) => known === wanted)) {
      throw new Error(`target_session_attrs must be ${SESSION_ATTRS.join(" or ")}`);
    }
  }

  /** Hosts with their ports, in the order in which they are tried. */
  get hosts(): readonly string[] {
    return this.#parts[2].split(",");
  }

  /** The role that signs in; empty when the address has none. */
  get user(): string {
    return decodeURIComponent(this.#parts[1].split(":")[0] ?? "");
  }

  /**
   * `primary`, the default, accepts any server that is not a standby; `read-write` also refuses one
   * whose transactions are read-only by default.
   */
  get accepts(): TargetSessionAttrs {
    return this.#parameters.get("target_session_attrs") === "read-write" ? "read-write" : "primary";
  }

  /** An address for each host. */
  get urls(): readonly string[] {
    const [scheme, credentials, , rest] = this.#parts;
    return this.hosts.map((host) => urlOf([scheme, credentials, host, rest]));
  }

  /** The same address for another role, or with another password of the same role. */
  as({ user = this.user, password }: { user?: string; password: string }): string {
    const [scheme, , hosts, rest] = this.#parts;
    const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
    return urlOf([scheme, credentials, hosts, rest]);
  }

  toString(): string {
    return urlOf(this.#parts);
  }

  get #parameters(): URLSearchParams {
    return new URLSearchParams(this.#parts[3].split("?")[1] ?? "");
  }
}

function urlOf([scheme, credentials, hosts, rest]: readonly string[]): string {
  return `${scheme}${credentials === "" ? "" : `${credentials}@`}${hosts}${rest}`;
}

function malformed(): Error {
  return new Error(
    "must look like postgres://user:password@host:5432/database, with commas between several hosts",
  );
}
