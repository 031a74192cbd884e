/** Who makes a write. */
export interface Actor {
  accountId: string;
  /** `seed` is demonstration data of an operator; no limit applies to it. */
  origin: "tool" | "seed";
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
