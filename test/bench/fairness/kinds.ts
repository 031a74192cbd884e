import { generateApiKey } from "@nutrition/core/api-key";
import { toolCall } from "../mcp/messages.ts";
import type { Manner, Message } from "./abuser.ts";
import type { StrangerTokens } from "./stranger-tokens.ts";

/** Inputs for the requests of a kind of abuse. */
export interface AbuserFacts {
  /** Of the services, such as `127.0.0.1:3000`. */
  host: string;
  /** A valid key of the abusive account. */
  apiKey: string;
  tokens: StrangerTokens;
  /** Number of different requests, if requests must differ. */
  count: number;
}

/** A way in which a single account can try to take more than its share. */
export interface AbuseKind {
  name: string;
  manner: Manner;
  /** Whether the account has used up its limit before. */
  isUsedUp: boolean;
  /** Whether every answer is a refusal, whose price is bounded. */
  isRefused: boolean;
  /** Networks with their connections together, for a crowd; otherwise one with those of `--abusers`. */
  crowd?: { networks: number; connections: number };
  messagesFor: (facts: AbuserFacts) => Message[];
}

const BIG_PATHS = ["/api/v1/food-entries?limit=90", "/api/v1/weight-history?limit=365"];
const BIG_CALLS = [
  toolCall("list_weight_history", { limit: 365 }),
  toolCall("list_food_entries", { limit: 90 }),
];
const TRICKLED_BODY_BYTES = 4_000;
/** As large as a form may be. */
const PAGE_BODY_BYTES = 60_000;
const PAGE_TRICKLE_MS = 2_000;

/** Every kind of the benchmark, in display order. */
export const ABUSE_KINDS: readonly AbuseKind[] = [
  {
    name: "refused-mcp",
    manner: "wait",
    isUsedUp: true,
    isRefused: true,
    messagesFor: bigCalls,
  },
  {
    name: "refused-rest",
    manner: "wait",
    isUsedUp: true,
    isRefused: true,
    messagesFor: bigReads,
  },
  {
    name: "hang-ups",
    manner: "hang up",
    isUsedUp: false,
    isRefused: false,
    messagesFor: (facts) => bigReads(facts).slice(0, 1),
  },
  {
    name: "big-reads",
    manner: "wait",
    isUsedUp: false,
    isRefused: false,
    messagesFor: (facts) => [...bigReads(facts), ...bigCalls(facts)],
  },
  {
    name: "slow-bodies",
    manner: "trickle",
    isUsedUp: false,
    isRefused: false,
    messagesFor: slowRequests,
  },
  {
    name: "slow-page-bodies",
    manner: "trickle",
    isUsedUp: false,
    isRefused: false,
    crowd: { networks: 8, connections: 256 },
    messagesFor: slowForms,
  },
  {
    name: "idle-connections",
    manner: "idle",
    isUsedUp: false,
    isRefused: false,
    crowd: { networks: 1, connections: 10_100 },
    messagesFor: ({ host }) => [{ text: headOf("GET /healthz", host, {}) }],
  },
  {
    name: "unknown-keys",
    manner: "wait",
    isUsedUp: false,
    isRefused: true,
    messagesFor: (facts) =>
      Array.from({ length: facts.count }, () => getWith(facts.host, generateApiKey().text)),
  },
  {
    name: "bad-tokens",
    manner: "wait",
    isUsedUp: false,
    isRefused: true,
    messagesFor: ({ host, tokens, count }) =>
      Array.from({ length: count }, (_, index) =>
        getWith(host, index % 2 === 0 ? tokens.garbage() : tokens.unknownKey()),
      ),
  },
  {
    name: "forged-tokens",
    manner: "wait",
    isUsedUp: false,
    isRefused: true,
    messagesFor: ({ host, tokens, count }) =>
      Array.from({ length: count }, () => getWith(host, tokens.forged())),
  },
];

function bigReads({ host, apiKey }: AbuserFacts): Message[] {
  return BIG_PATHS.map((path) => ({ text: headOf(`GET ${path}`, host, bearer(apiKey)) }));
}

function bigCalls({ host, apiKey }: AbuserFacts): Message[] {
  return BIG_CALLS.map(({ headers, body }) => {
    const length = { "content-length": String(body.length) };
    const head = headOf("POST /mcp", host, { ...headers, ...bearer(apiKey), ...length });
    return { text: head + body };
  });
}

/** A body and a head of which each byte takes its time. */
function slowRequests({ host, apiKey }: AbuserFacts): Message[] {
  const body = `{"padding":"${"x".repeat(TRICKLED_BODY_BYTES)}"}`;
  const headers = {
    ...toolCall("get_profile", {}).headers,
    ...bearer(apiKey),
    "content-length": String(body.length),
  };
  const head = headOf("POST /mcp", host, headers);
  return [
    { text: head + body, trickledBytes: body.length },
    { text: head, trickledBytes: head.length },
  ];
}

/** Forms whose body hardly arrives. */
function slowForms({ host }: AbuserFacts): Message[] {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(PAGE_BODY_BYTES),
  };
  const text = headOf("POST /sign-in", host, headers) + "x".repeat(PAGE_BODY_BYTES);
  return [{ text, trickledBytes: PAGE_BODY_BYTES, trickleMs: PAGE_TRICKLE_MS }];
}

function getWith(host: string, credential: string): Message {
  return { text: headOf("GET /api/v1/me", host, bearer(credential)) };
}

function bearer(credential: string) {
  return { authorization: `Bearer ${credential}` };
}

function headOf(request: string, host: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request} HTTP/1.1\r\nhost: ${host}\r\n${lines.join("")}\r\n`;
}
