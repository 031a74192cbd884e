import { randomUUID } from "node:crypto";

import type { TestProvider } from "@nutrition/oauth/testing";

import type { RealServices } from "./real-services.ts";
import { CALL, asPerson, beginSession } from "./real-services.ts";

/** A person with an account, and perhaps with an assistant. */
export interface Person {
  readonly accountId: string;
  /** Claims of a token of the person's assistant. */
  readonly claims: { readonly sub: string; readonly client_id: string };
}

const READ = ["service.read"];
const READ_AND_WRITE = ["service.read", "nutrition.write"];

/** Creates accounts, keys and connections, as people and operators do. */
export class People {
  readonly #services: RealServices;
  readonly #issuer: string;

  constructor(services: RealServices, { issuer }: Pick<TestProvider, "issuer">) {
    this.#services = services;
    this.#issuer = issuer;
  }

  /** A premium account without grants. */
  async signIn(subject: string = randomUUID()): Promise<Person> {
    const { admin, web } = this.#services;
    const { account } = await web.signIn({ claims: { issuer: this.#issuer, subject } }, CALL);
    const accountId = account?.id ?? "";
    await admin.updateAccount({ accountId, hasPremium: true }, CALL);
    await beginSession(this.#services, accountId);
    return { accountId, claims: { sub: subject, client_id: randomUUID() } };
  }

  /** Allows a person's assistant to read, and by default to write. */
  async allow({ accountId, claims }: Person, scopes = READ_AND_WRITE): Promise<void> {
    const clientId = claims.client_id;
    const grant = { clientId, clientName: "An assistant", redirectHost: "localhost", scopes };
    await this.#services.web.putGrant(grant, asPerson(accountId));
  }

  async allowReading(person: Person): Promise<void> {
    await this.allow(person, READ);
  }

  async revoke({ accountId, claims }: Person): Promise<void> {
    await this.#services.web.revokeGrant({ clientId: claims.client_id }, asPerson(accountId));
  }

  async loseEntitlement({ accountId }: Person): Promise<void> {
    await this.#services.admin.updateAccount({ accountId, hasPremium: false }, CALL);
  }

  /** A person with an assistant that may read and write. */
  async connected(): Promise<Person> {
    const person = await this.signIn();
    await this.allow(person);
    return person;
  }

  /** A key of the person, or of a new one. */
  async key(scopes = READ_AND_WRITE): Promise<{ id: string; text: string; accountId: string }> {
    const { accountId } = await this.signIn();
    const { key, apiKey } = await this.#services.web.createKey({ scopes }, asPerson(accountId));
    return { id: key?.id ?? "", text: apiKey, accountId };
  }

  async readingKey(): Promise<string> {
    return (await this.key(READ)).text;
  }

  async revokedKey(): Promise<string> {
    const { id, text, accountId } = await this.key();
    await this.#services.web.revokeKey(
      { selector: { case: "keyId", value: id } },
      asPerson(accountId),
    );
    return text;
  }

  async expiredKey(): Promise<string> {
    const { id, text } = await this.key();
    await this.#services.database.query({
      text: "update api_keys set expires_at = now() - interval '1 day' where id = $1",
      values: [id],
    });
    return text;
  }
}
