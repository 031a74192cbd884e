import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

import type { CredentialKind } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import type { OutgoingCall } from "./outgoing-call.ts";
import type { WireUser } from "./user-message.ts";

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

export function encodeCalls({ calls, cancelled }: CallFrame): Uint8Array {
  const writer = new BinaryWriter();
  for (const call of calls) writeCall(writer, call);
  if (cancelled.length > 0) {
    writer.uint32(CANCELLED).fork();
    for (const id of cancelled) writer.uint32(id);
    writer.join();
  }
  return writer.finish();
}

function writeCall(writer: BinaryWriter, call: FramedCall): void {
  writer.uint32(CALLS).fork();
  writer.uint32(ID).uint32(call.id);
  writer.uint32(METHOD).string(call.method);
  writer.uint32(REQUEST).bytes(call.request);
  writer.uint32(TIMEOUT_MS).uint32(call.timeoutMs);
  if (call.user) writeUser(writer, call.user);
  writeText(writer, USER_ASSERTION, call.userAssertion);
  writeText(writer, ONWARD_ASSERTION, call.onwardAssertion);
  writeText(writer, TRACEPARENT, call.traceparent);
  writer.join();
}

function writeUser(writer: BinaryWriter, user: WireUser): void {
  writer.uint32(USER).fork();
  writer.uint32(ACCOUNT_ID).string(user.accountId);
  writer.uint32(CREDENTIAL_KIND).int32(user.credentialKind);
  writer.uint32(CREDENTIAL_ID).string(user.credentialId);
  for (const scope of user.scopes) writer.uint32(SCOPES).string(scope);
  writer.join();
}

function writeText(writer: BinaryWriter, tag: number, text: string): void {
  if (text !== "") writer.uint32(tag).string(text);
}

/** Reads a frame, skipping unknown fields. Throws when it is invalid or too large. */
export function decodeCalls(bytes: Uint8Array): CallFrame {
  const reader = new BinaryReader(bytes);
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

function readCall(reader: BinaryReader, end: number): FramedCall {
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
    else if (tag === METHOD) call.method = reader.string();
    else if (tag === REQUEST) call.request = reader.bytes();
    else if (tag === TIMEOUT_MS) call.timeoutMs = reader.uint32();
    else if (tag === USER) call.user = readUser(reader, endOf(reader));
    else if (tag === USER_ASSERTION) call.userAssertion = reader.string();
    else if (tag === ONWARD_ASSERTION) call.onwardAssertion = reader.string();
    else if (tag === TRACEPARENT) call.traceparent = reader.string();
    else reader.skip(tag & 7, tag >>> 3);
  }
  assertAt(reader, end);
  return call;
}

function readUser(reader: BinaryReader, end: number): WireUser {
  const scopes: string[] = [];
  const user: WireUser = { accountId: "", credentialKind: 0, credentialId: "", scopes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === ACCOUNT_ID) user.accountId = reader.string();
    else if (tag === CREDENTIAL_KIND) user.credentialKind = reader.int32() as CredentialKind;
    else if (tag === CREDENTIAL_ID) user.credentialId = reader.string();
    else if (tag === SCOPES) scopes.push(reader.string());
    else reader.skip(tag & 7, tag >>> 3);
    if (scopes.length > SCOPES_MAX) throw tooMuch();
  }
  assertAt(reader, end);
  return user;
}

const NOTHING = new Uint8Array();
const VARINT_BYTES_MAX = 5;

/** End of the message that begins here. */
function endOf(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("The frame is cut short.");
  return end;
}

function assertAt(reader: BinaryReader, end: number): void {
  if (reader.pos !== end) throw new RangeError("A field extends beyond its message.");
}

function tooMuch(): RangeError {
  return new RangeError("The frame has more members than allowed.");
}
