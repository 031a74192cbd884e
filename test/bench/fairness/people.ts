import { toolCall } from "../mcp/messages.ts";
import { pickerOf } from "../picker.ts";

/** Purpose of a request; a `page` is a browser's, a `probe` the balancer's. */
export type ArrivalKind = "read" | "write" | "page" | "probe";

/** A request and its time, independent of earlier ones. */
export interface Arrival {
  /** After the start of the load. */
  atMs: number;
  kind: ArrivalKind;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** To be posted; undefined to get the document at the path. */
  body?: string;
}

export interface PeopleOrder {
  baseUrl: string;
  arrivals: readonly Arrival[];
}

/** The result of a request. */
export interface Answer {
  kind: ArrivalKind;
  /** From the planned time of the request to the end of its response. */
  ms: number;
  /** "200", another HTTP status, "tool error" or "no answer". */
  outcome: string;
}

export interface PlanOptions {
  /** Of whom each request picks one; writes take them in turn. */
  apiKeys: readonly string[];
  /** Days that have food. */
  dates: readonly string[];
  durationMs: number;
  /** The same seed plans the same arrivals. */
  seed: number;
  /** Number of the first write: no two writes say the same, or the second would be a retry. */
  firstWrite: number;
}

const REQUESTS_A_SECOND = 50;
const PAGES_A_SECOND = 10;
const PROBES_A_SECOND = 20;
const WRITE_PERCENT = 5;
const MCP_PERCENT = 25;
/** Description of the people's requests, for the report. */
export const PEOPLE =
  `People: ${REQUESTS_A_SECOND} requests a second at random times, of which ${MCP_PERCENT} % are reads ` +
  `over MCP, ${WRITE_PERCENT} % log_food and the rest reads over REST; and ${PAGES_A_SECOND} pages a second. ` +
  `Clients keep their connections.`;

const PICKS = 1_000_000;
const GRAMS_MIN = 20;
const GRAMS_KINDS = 400;
const FOODS = ["cooked rice", "apple", "whole milk", "boiled potatoes", "oats", "banana"];

/**
 * Plans the requests of ordinary people for some seconds: independent of each other, so at random
 * times (a Poisson process), and never waiting for a response before the next.
 */
export function planArrivals(options: PlanOptions): Arrival[] {
  const { apiKeys, dates, durationMs, firstWrite } = options;
  const pick = pickerOf(options.seed);
  const oneOf = (items: readonly string[]) => items[pick(items.length)] ?? "";
  const arrivals: Arrival[] = [];
  let write = firstWrite;
  const exponential = () => -Math.log((pick(PICKS) + 1) / PICKS) * (1_000 / REQUESTS_A_SECOND);
  for (let atMs = exponential(); atMs < durationMs; atMs += exponential()) {
    const percent = pick(100);
    if (percent < WRITE_PERCENT) {
      arrivals.push({ atMs, ...writeOf(write, apiKeys[write % apiKeys.length] ?? "") });
      write += 1;
    } else {
      const read = { apiKey: oneOf(apiKeys), date: oneOf(dates), chosen: pick(100) };
      const isMcp = percent < WRITE_PERCENT + MCP_PERCENT;
      arrivals.push({ atMs, ...(isMcp ? mcpReadOf(read) : restReadOf(read)) });
    }
  }
  const pages = evenly("page", "/sign-in", { perSecond: PAGES_A_SECOND, durationMs });
  const probes = evenly("probe", "/readyz", { perSecond: PROBES_A_SECOND, durationMs });
  return [...arrivals, ...pages, ...probes];
}

type Request = Omit<Arrival, "atMs">;

interface ReadOptions {
  apiKey: string;
  date: string;
  /** 0 to 99. */
  chosen: number;
}

function writeOf(number: number, apiKey: string): Request {
  const grams = GRAMS_MIN + (Math.floor(number / FOODS.length) % GRAMS_KINDS);
  const call = toolCall("log_food", { food_text: `${grams} g ${FOODS[number % FOODS.length]}` });
  return post("write", call, apiKey);
}

function mcpReadOf({ apiKey, date, chosen }: ReadOptions): Request {
  const call =
    chosen < 60
      ? toolCall("get_nutrition_summary", { date })
      : toolCall("list_food_entries", { end_date: date, limit: 7 });
  return post("read", call, apiKey);
}

function restReadOf({ apiKey, date, chosen }: ReadOptions): Request {
  const headers = { authorization: `Bearer ${apiKey}` };
  if (chosen < 70) return { kind: "read", path: `/api/v1/nutrition/summary?date=${date}`, headers };
  if (chosen < 85) return { kind: "read", path: "/api/v1/me", headers };
  return { kind: "read", path: `/api/v1/food-entries?end_date=${date}&limit=7`, headers };
}

function post(
  kind: ArrivalKind,
  { body, headers }: ReturnType<typeof toolCall>,
  apiKey: string,
): Request {
  return {
    kind,
    path: "/mcp",
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    body,
  };
}

function evenly(
  kind: ArrivalKind,
  path: string,
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Arrival[] {
  const count = Math.floor((durationMs * perSecond) / 1_000);
  return Array.from({ length: count }, (_, index) => ({
    atMs: (index * 1_000) / perSecond,
    kind,
    path,
    headers: {},
  }));
}
