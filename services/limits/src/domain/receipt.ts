import { isUuid } from "@nutrition/core/ids";

import { connectorSubject, keySubject } from "./usage.ts";
import type { LimitRequest } from "./usage.ts";

/** The request event that a receipt identifies. */
export interface CountedRequest {
  accountId: string;
  subject: string;
  /** Moment of the event in microseconds since 1970. */
  atUs: number;
}

const RECEIPT = /^([0-9a-z]{1,11})\.([0-9a-f-]{36})\.([kc])\.([\x21-\x7e]{1,200})$/;

/** The receipt of a request counted at `atUs`. */
export function receiptOf(limitRequest: LimitRequest, atUs: number): string {
  const kind = limitRequest.subjectKind === "api_key" ? "k" : "c";
  return `${atUs.toString(36)}.${limitRequest.accountId}.${kind}.${limitRequest.credentialId}`;
}

/**
 * Parses a receipt; undefined when the text is not one. A receipt can only name a key or a
 * connector, so that no journal write is ever refunded.
 */
export function parseReceipt(text: string): CountedRequest | undefined {
  const [, moment = "", accountId = "", kind, credentialId = ""] = RECEIPT.exec(text) ?? [];
  const atUs = Number.parseInt(moment, 36);
  if (!isUuid(accountId) || !Number.isSafeInteger(atUs)) return undefined;
  if (kind === "c") return { accountId, subject: connectorSubject(accountId, credentialId), atUs };
  return isUuid(credentialId) ? { accountId, subject: keySubject(credentialId), atUs } : undefined;
}
