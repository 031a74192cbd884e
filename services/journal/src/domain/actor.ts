/** Who makes a write. */
export interface Actor {
  accountId: string;
  /**
   * `seed` is demonstration data of an operator, `import` what a person kept in another service; no
   * limit applies to either.
   */
  origin: "tool" | "seed" | "import";
  /** Undefined for operators. */
  credential: Credential | undefined;
  requestId: string;
}

/** What a user's request came with. */
export interface Credential {
  kind: "api_key" | "connector" | "session";
  /** UUID of the key, client id of the connector, or id of the session. */
  id: string;
}
