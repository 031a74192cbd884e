/** The origin of a write. */
export interface Actor {
  accountId: string;
  /**
   * `seed` is an operator's demonstration data, `import` a diary from another service; limits apply
   * to neither.
   */
  origin: "tool" | "seed" | "import";
  /** Undefined for operators. */
  credential: Credential | undefined;
  requestId: string;
}

/** Kind of the credential that authenticated the user. */
export interface Credential {
  kind: "api_key" | "connector" | "session";
  /** UUID of the key, client id of the connector, or id of the session. */
  id: string;
}
