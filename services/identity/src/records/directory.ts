import type { Client, Grant, Session, Snapshot, User } from "./records.ts";

const USERS_MAX = 10_000;
const CLIENTS_MAX = 1_000;
const SESSIONS_MAX = 10_000;

/** Users, clients, sessions and grants, in memory. Callers must save their changes. */
export class Directory {
  readonly #users = new Map<string, User>();
  readonly #clients = new Map<string, Client>();
  readonly #sessions = new Map<string, Session>();
  readonly #grants = new Map<string, Grant>();

  constructor(snapshot?: Omit<Snapshot, "keys">) {
    for (const user of snapshot?.users ?? []) this.#users.set(user.id, user);
    for (const client of snapshot?.clients ?? []) this.#clients.set(client.id, client);
    for (const session of snapshot?.sessions ?? []) this.#sessions.set(session.id, session);
    for (const grant of snapshot?.grants ?? []) this.putGrant(grant);
  }

  snapshot(): Omit<Snapshot, "keys"> {
    return {
      users: [...this.#users.values()],
      clients: [...this.#clients.values()],
      sessions: [...this.#sessions.values()],
      grants: [...this.#grants.values()],
    };
  }

  getUser(id: string): User | undefined {
    return this.#users.get(id);
  }

  findUserByEmail(email: string): User | undefined {
    const lowercase = email.toLowerCase();
    return this.#users.values().find((user) => user.email === lowercase);
  }

  /** Users, oldest account first. */
  listUsers(max: number): User[] {
    return [...this.#users.values().take(max)];
  }

  /** Returns false when there are too many. */
  insertUser(user: User): boolean {
    if (this.#users.size >= USERS_MAX) return false;
    this.#users.set(user.id, user);
    return true;
  }

  /** Deletes the user with their sessions and grants. Returns false when there is none. */
  deleteUser(id: string): boolean {
    this.deleteSessions(({ userId }) => userId === id);
    for (const grant of this.listGrants(id)) this.deleteGrant(grant);
    return this.#users.delete(id);
  }

  getClient(id: string): Client | undefined {
    return this.#clients.get(id);
  }

  /**
   * Registers a client. Registration is open, so the oldest client without a grant is dropped when
   * there are too many. Returns false if there is none to drop.
   */
  insertClient(client: Client): boolean {
    if (this.#clients.size >= CLIENTS_MAX) {
      const inUse = new Set(this.#grants.values().map(({ clientId }) => clientId));
      const unused = this.#clients.keys().find((id) => !inUse.has(id));
      if (unused === undefined) return false;
      this.#clients.delete(unused);
    }
    this.#clients.set(client.id, client);
    return true;
  }

  getSession(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  findSessionByRefreshToken(token: string): Session | undefined {
    return this.#sessions
      .values()
      .find((session) => session.refreshToken === token || isRetired(session, token));
  }

  insertSession(session: Session): void {
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= SESSIONS_MAX) this.#sessions.delete(oldest);
    this.#sessions.set(session.id, session);
  }

  /** Ends every session that matches the condition. */
  deleteSessions(isOver: (session: Session) => boolean): void {
    for (const session of this.#sessions.values()) {
      if (isOver(session)) this.#sessions.delete(session.id);
    }
  }

  getGrant(userId: string, clientId: string): Grant | undefined {
    return this.#grants.get(`${userId} ${clientId}`);
  }

  listGrants(userId: string): Grant[] {
    return [...this.#grants.values().filter((grant) => grant.userId === userId)];
  }

  putGrant(grant: Grant): void {
    this.#grants.set(`${grant.userId} ${grant.clientId}`, grant);
  }

  deleteGrant({ userId, clientId }: Grant): void {
    this.#grants.delete(`${userId} ${clientId}`);
  }
}

function isRetired({ retired }: Session, token: string): boolean {
  return retired.some((one) => one.token === token);
}
