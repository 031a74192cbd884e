import type { Principal } from "../domain/principal.ts";
import { mayWrite } from "../domain/principal.ts";
import { readCards } from "./cards.ts";
import type { Card } from "./cards.ts";
import { FAULT, ProtocolFault } from "./protocol.ts";
import type { RequestMessage } from "./protocol.ts";
import type { Site } from "../domain/site.ts";

const URI_SHOWN_MAX = 100;

/** The resources of the tool endpoint, all of them cards. Serialized once. */
export class Resources {
  readonly #writing: string;
  readonly #reading: string;
  /** Members of the answer by URI. Cards contain nothing private, so everyone may read all of them. */
  readonly #contents: ReadonlyMap<string, string>;

  constructor(site: Site) {
    const writing = readCards(site, { mayWrite: true });
    const reading = readCards(site, { mayWrite: false });
    this.#writing = listOf(writing);
    this.#reading = listOf(reading);
    this.#contents = new Map(
      [...writing, ...reading].map(([uri, { content }]) => [
        uri,
        `"contents":[${JSON.stringify(content)}]`,
      ]),
    );
  }

  /** The members of the answer to `resources/list`. */
  list(principal: Principal): string {
    return mayWrite(principal) ? this.#writing : this.#reading;
  }

  /** The members of the answer to `resources/read`. Throws a `ProtocolFault`. */
  read({ params: { uri } }: RequestMessage): string {
    const contents = typeof uri === "string" ? this.#contents.get(uri) : undefined;
    if (contents !== undefined) return contents;
    const shown = typeof uri === "string" ? uri.slice(0, URI_SHOWN_MAX) : undefined;
    throw new ProtocolFault({
      code: FAULT.invalidParams,
      message:
        shown === undefined ? "Invalid params: uri must be text" : `Resource not found: ${shown}`,
      httpStatus: 200,
      ...(shown !== undefined && { data: { uri: shown } }),
    });
  }
}

function listOf(cards: ReadonlyMap<string, Card>): string {
  const listed = [...cards.values()].map((card) => JSON.stringify(card.listed));
  return `"resources":[${listed.join(",")}]`;
}
