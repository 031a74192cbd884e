import { bufferView } from "@nutrition/core/buffer-view";
import { BinaryReader } from "@bufbuild/protobuf/wire";

import type { CredentialKind } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import type { OutgoingCall } from "./outgoing-call.ts";
import type { WireUser } from "./user-message.ts";
import { WireWriter, fieldSize, textSize, uintSize, varintSize } from "./wire-writer.ts";

// carrier.proto's ExchangeRequest, encoded and decoded by hand: the general encoder and decoder
// took a quarter of the time of a call.

/** A call in a frame. */
export interface FramedCall extends OutgoingCall {
  /** Unique among the calls in flight on its stream. */
  id: number;
}

export interface CallFrame {
  calls: readonly FramedCall[];
  /** Ids of calls whose caller no longer waits. */
  cancelled: readonly number[];
}

/** Bounds the memory that a frame can make its reader use. */
export const CALLS_PER_FRAME_MAX = 8_192;
const SCOPES_MAX = 16;

/** Number of each field, and its wire type (protobuf encoding: 0 is varint, 2 is length-delimited). */
const CALLS = (2 << 3) | 2;
const CANCELLED = (3 << 3) | 2;
const CANCELLED_UNPACKED = (3 << 3) | 0;
const ID = (1 << 3) | 0;
const METHOD = (2 << 3) | 2;
const REQUEST = (3 << 3) | 2;
const TIMEOUT_MS = (4 << 3) | 0;
const USER = (7 << 3) | 2;
const USER_ASSERTION = (8 << 3) | 2;
const ONWARD_ASSERTION = (9 << 3) | 2;
const TRACEPARENT = (10 << 3) | 2;
const ACCOUNT_ID = (1 << 3) | 2;
const CREDENTIAL_KIND = (2 << 3) | 0;
const CREDENTIAL_ID = (3 << 3) | 2;
const SCOPES = (4 << 3) | 2;

export function encodeCalls({ calls, cancelled }: CallFrame): Buffer {
  const sizes = calls.map(callSize);
  const cancelledSize = cancelled.reduce((sum, id) => sum + varintSize(id), 0);
  const callsSize = sizes.reduce((sum, size) => sum + fieldSize(size), 0);
  const end = cancelled.length === 0 ? 0 : fieldSize(cancelledSize);
  const writer = new WireWriter(callsSize + end);
  for (const [index, call] of calls.entries()) {
    writeCall(writer.uint(CALLS, sizes[index] as number), call);
  }
  if (cancelled.length > 0) writer.uint(CANCELLED, cancelledSize);
  for (const id of cancelled) writer.varint(id);
  return writer.buffer;
}

function callSize(call: FramedCall): number {
  return (
    uintSize(call.id) +
    textSize(call.method) +
    fieldSize(call.request.length) +
    uintSize(call.timeoutMs) +
    (call.user ? fieldSize(userSize(call.user)) : 0) +
    textSize(call.userAssertion) +
    textSize(call.onwardAssertion) +
    textSize(call.traceparent)
  );
}

function writeCall(writer: WireWriter, call: FramedCall): void {
  writer
    .uint(ID, call.id)
    .text(METHOD, call.method)
    .bytes(REQUEST, call.request)
    .uint(TIMEOUT_MS, call.timeoutMs);
  if (call.user) writeUser(writer.uint(USER, userSize(call.user)), call.user);
  writer
    .text(USER_ASSERTION, call.userAssertion)
    .text(ONWARD_ASSERTION, call.onwardAssertion)
    .text(TRACEPARENT, call.traceparent);
}

function userSize({ accountId, credentialKind, credentialId, scopes }: WireUser): number {
  const scopesSize = scopes.reduce((sum, scope) => sum + textSize(scope), 0);
  return textSize(accountId) + uintSize(credentialKind) + textSize(credentialId) + scopesSize;
}

function writeUser(writer: WireWriter, user: WireUser): void {
  writer
    .text(ACCOUNT_ID, user.accountId)
    .uint(CREDENTIAL_KIND, user.credentialKind)
    .text(CREDENTIAL_ID, user.credentialId);
  for (const scope of user.scopes) writer.text(SCOPES, scope);
}

/** Reads texts without a view and a decoder for each of them. */
class FrameReader extends BinaryReader {
  readonly #buffer: Buffer;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#buffer = bufferView(bytes);
  }

  text(): string {
    const end = endOf(this);
    const text = this.#buffer.toString("utf8", this.pos, end);
    this.pos = end;
    return text;
  }
}

/** Reads a frame, skipping unknown fields. Throws when it is invalid or too large. */
export function decodeCalls(bytes: Uint8Array): CallFrame {
  const reader = new FrameReader(bytes);
  const calls: FramedCall[] = [];
  const cancelled: number[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === CALLS) calls.push(readCall(reader, endOf(reader)));
    else if (tag === CANCELLED) {
      const end = endOf(reader);
      if (end - reader.pos > CALLS_PER_FRAME_MAX * VARINT_BYTES_MAX) throw tooMuch();
      while (reader.pos < end) cancelled.push(reader.uint32());
    } else if (tag === CANCELLED_UNPACKED) cancelled.push(reader.uint32());
    else reader.skip(tag & 7, tag >>> 3);
    if (Math.max(calls.length, cancelled.length) > CALLS_PER_FRAME_MAX) throw tooMuch();
  }
  return { calls, cancelled };
}

function readCall(reader: FrameReader, end: number): FramedCall {
  const call: FramedCall = {
    id: 0,
    method: "",
    request: NOTHING,
    timeoutMs: 0,
    user: undefined,
    userAssertion: "",
    onwardAssertion: "",
    traceparent: "",
  };
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === ID) call.id = reader.uint32();
    else if (tag === METHOD) call.method = reader.text();
    else if (tag === REQUEST) call.request = reader.bytes();
    else if (tag === TIMEOUT_MS) call.timeoutMs = reader.uint32();
    else if (tag === USER) call.user = readUser(reader, endOf(reader));
    else if (tag === USER_ASSERTION) call.userAssertion = reader.text();
    else if (tag === ONWARD_ASSERTION) call.onwardAssertion = reader.text();
    else if (tag === TRACEPARENT) call.traceparent = reader.text();
    else reader.skip(tag & 7, tag >>> 3);
  }
  assertAt(reader, end);
  return call;
}

function readUser(reader: FrameReader, end: number): WireUser {
  const scopes: string[] = [];
  const user: WireUser = { accountId: "", credentialKind: 0, credentialId: "", scopes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === ACCOUNT_ID) user.accountId = reader.text();
    else if (tag === CREDENTIAL_KIND) user.credentialKind = reader.int32() as CredentialKind;
    else if (tag === CREDENTIAL_ID) user.credentialId = reader.text();
    else if (tag === SCOPES) scopes.push(reader.text());
    else reader.skip(tag & 7, tag >>> 3);
    if (scopes.length > SCOPES_MAX) throw tooMuch();
  }
  assertAt(reader, end);
  return user;
}

const NOTHING = new Uint8Array();
const VARINT_BYTES_MAX = 5;

/** End of the message that begins here. */
function endOf(reader: FrameReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("The frame is cut short.");
  return end;
}

function assertAt(reader: FrameReader, end: number): void {
  if (reader.pos !== end) throw new RangeError("A field extends beyond its message.");
}

function tooMuch(): RangeError {
  return new RangeError("The frame has more members than allowed.");
}
