/** Requests that the servers answer differently, with the reasons. */
export interface Difference {
  readonly ours: string;
  readonly sdk: string;
  readonly why: string;
}

const LENIENT = "The message's meaning is clear; members that a server does not know are ignored.";
const ANSWERS_JSON = "We respond with JSON only, so what else a client accepts does not matter.";
const HTTP_REFUSAL = "Refusals of a request as a whole have the body of the public interface.";
const ONE_PAGE = "The list has one page, so every cursor is invalid: -32602 by the specification.";
const INVALID_PARAMS = "What is missing is the caller's fault: -32602 by JSON-RPC.";
const NO_BATCH = "Batches ended with 2025-06-18; answering one hides a client's fault.";
const TELLS_ALL =
  "Both eras are spoken at one address, so a client is told of the revisions of both.";
const NO_HANDSHAKE_DATA =
  "We need only the version from a handshake, and a missing one is answered with ours.";

/** Every known difference by the name of the request; the test allows no others. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "2026: a member that nobody knows": { ours: "200", sdk: "400 -32600", why: LENIENT },
  "2026: an unknown version in the header, none in the body": {
    ours: "400 -32022",
    sdk: "400 -32602",
    why: "A client of a later revision is told what we support, whatever its body looks like.",
  },
  "2026: server/discover": { ours: "200", sdk: "200", why: TELLS_ALL },
  "2026: an unknown version in header and body": {
    ours: "400 -32022",
    sdk: "400 -32022",
    why: TELLS_ALL,
  },
  "2026: an older version in the body": { ours: "400 -32022", sdk: "400 -32022", why: TELLS_ALL },
  "2026: a cursor": { ours: "200 -32602", sdk: "200", why: ONE_PAGE },
  "2025: a cursor": { ours: "200 -32602", sdk: "200", why: ONE_PAGE },
  "2026: a card without a URI": { ours: "200 -32602", sdk: "200 -32603", why: INVALID_PARAMS },
  "2025: a card without a URI": { ours: "200 -32602", sdk: "200 -32603", why: INVALID_PARAMS },
  "2025: initialize for 2024-11-05": {
    ours: "200",
    sdk: "200",
    why: "That revision has another transport, so it is answered with the newest that has ours.",
  },
  "2025: initialize without params": { ours: "200", sdk: "200 -32603", why: NO_HANDSHAKE_DATA },
  "2025: initialize with a client without a name": {
    ours: "200",
    sdk: "200 -32603",
    why: NO_HANDSHAKE_DATA,
  },
  "2025: a batch": { ours: "400 -32600", sdk: "200", why: NO_BATCH },
  "2025: a body that is not JSON by its type": {
    ours: "400 invalid_request",
    sdk: "415 -32000",
    why: HTTP_REFUSAL,
  },
  "2025: a body of no type": { ours: "400 invalid_request", sdk: "415 -32000", why: HTTP_REFUSAL },
  "2025: a client that accepts only JSON": { ours: "200", sdk: "406 -32000", why: ANSWERS_JSON },
  "2025: a client that accepts anything": { ours: "200", sdk: "406 -32000", why: ANSWERS_JSON },
  "2025: an unknown version in the header": {
    ours: "400 -32022",
    sdk: "400 -32000",
    why: "The later revision has a code for it, which also tells what we speak.",
  },
  "2025: GET": { ours: "405 method_not_allowed", sdk: "405 -32000", why: HTTP_REFUSAL },
  "2025: DELETE": { ours: "405 method_not_allowed", sdk: "405 -32000", why: HTTP_REFUSAL },
  "2025: PUT": { ours: "405 method_not_allowed", sdk: "405 -32000", why: HTTP_REFUSAL },
};
