import { readFileSync } from "node:fs";
import { join } from "node:path";

import { markup } from "@nutrition/core/markup";

import type { Site } from "../domain/site.ts";
import type { CardName } from "../operations/operation.ts";

const FOLDER = join(import.meta.dirname, "../../cards");
/** Media type of cards in MCP Apps. */
const MIME_TYPE = "text/html;profile=mcp-app";
/** Cards are self-contained, so they may not contact any origin. */
const UI_META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
};
/** Suffix of the URIs of cards for read-only connections. */
const READING = "/read";

/** The pages in `cards`, generated from `services/cards`. */
const CARDS: Readonly<Record<CardName, string>> = {
  logged: "Logged food with the day's totals",
  change: "What an edit, a merge or a deletion changed",
  day: "A day's totals, goals and items",
  days: "Energy and nutrients over several days",
  goals: "Daily goals and settings",
  weight: "Body weight and its trend",
};

/** Determines the cards of a connection: read-only connections get cards without buttons. */
interface Reader {
  readonly mayWrite: boolean;
}

/** The `_meta` with which a tool names its card, in the current spelling and the earlier one. */
export function cardMeta(card: CardName, reader: Reader): Record<string, unknown> {
  const resourceUri = uriOf(card, reader);
  return { ui: { resourceUri }, "ui/resourceUri": resourceUri };
}

/** A page that hosts with MCP Apps show beside a tool's result. */
export interface Card {
  /** Its entry in `resources/list`. */
  readonly listed: object;
  /** Its member of `contents` in the answer to `resources/read`. */
  readonly content: object;
}

/** The cards that a connection can list, by URI. */
export function readCards(site: Site, reader: Reader): Map<string, Card> {
  const names = (Object.keys(CARDS) as CardName[]).filter(
    (name) => reader.mayWrite || !isOfWrite(name),
  );
  return new Map(names.map((name) => [uriOf(name, reader), readCard(name, site, reader)]));
}

function readCard(name: CardName, site: Site, reader: Reader): Card {
  const uri = uriOf(name, reader);
  const text = fillIn(readFileSync(join(FOLDER, `${name}.html`), "utf8"), site, reader);
  const described = { uri, mimeType: MIME_TYPE, _meta: UI_META };
  return {
    listed: { name, title: CARDS[name], ...described },
    content: { ...described, text },
  };
}

/** URIs are short because every list of tools contains each of them twice. */
function uriOf(name: CardName, { mayWrite }: Reader): string {
  return `ui://${name}${mayWrite ? "" : READING}`;
}

function isOfWrite(name: CardName): boolean {
  return name === "logged" || name === "change";
}

/** Inserts what the card may offer, and the address at which a person can allow more. */
function fillIn(html: string, { baseUrl }: Site, { mayWrite }: Reader): string {
  const { html: attributes } =
    markup`data-may-write="${String(mayWrite)}" data-connections-url="${baseUrl}/settings/connections"`;
  return html.replace('data-may-write="false" data-connections-url=""', () => attributes);
}
