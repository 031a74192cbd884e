const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** First byte of `null`. */
const NULL = 0x6e;

/**
 * Finds the values of members of objects in compact JSON without parsing it. Members may be missing, in any order, and
 * beside unknown ones: the journal may be of another version.
 */
export class JsonMembers {
  /** Where each value begins and ends, in the order of the names; 0 for a missing one. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #names: readonly Uint8Array[];

  /** Names in the order of the JSON are found fastest. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(`"${name}":`));
    this.starts = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
  }

  /**
   * Finds the values in the object that begins at `start`, and stops when it has found them all. Returns where it
   * stopped, for `endOfObject`.
   */
  find(json: Uint8Array, start: number): number {
    const { starts, ends } = this;
    starts.fill(0);
    ends.fill(0);
    let expected = 0;
    let missing = starts.length;
    let at = start + 1;
    while (missing > 0 && json[at] === QUOTE) {
      const index = this.#indexAt(json, at, expected);
      const name = this.#names[index];
      const value = name ? at + name.length : endOfString(json, at) + 1;
      at = endOfValue(json, value);
      if (name) {
        starts[index] = value;
        ends[index] = at;
        expected = index + 1;
        missing -= 1;
      }
      if (json[at] === COMMA) at += 1;
    }
    return at;
  }

  /** Whether `find` found the member with a value other than null. */
  has(json: Uint8Array, index: number): boolean {
    return this.ends[index] !== 0 && json[this.starts[index] as number] !== NULL;
  }

  /** Whether `find` found the member and its value is `value`, the bytes of compact JSON. */
  is(json: Uint8Array, index: number, value: Uint8Array): boolean {
    return this.ends[index] !== 0 && isWritten(json, this.starts[index] as number, value);
  }

  /** Index of the name at `start`, or -1 if it is unknown. */
  #indexAt(json: Uint8Array, start: number, expected: number): number {
    const name = this.#names[expected];
    if (name && isWritten(json, start, name)) return expected;
    return this.#names.findIndex((other) => isWritten(json, start, other));
  }
}

function isWritten(json: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at += 1) if (json[start + at] !== text[at]) return false;
  return true;
}

/** Where the string that begins at `start` ends. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Where an object ends of which the next member begins at `start`. */
export function endOfObject(json: Uint8Array, start: number): number {
  let at = start;
  while (json[at] === QUOTE) {
    at = endOfValue(json, endOfString(json, at) + 1);
    if (json[at] === COMMA) at += 1;
  }
  return at + 1;
}

/** Where the value that begins at `start` ends. */
function endOfValue(json: Uint8Array, start: number): number {
  const first = json[start] as number;
  if (first === QUOTE) return endOfString(json, start);
  if (isOpening(first)) return endOfNested(json, start);
  let at = start;
  while (at < json.length && json[at] !== COMMA && !isClosing(json[at] as number)) at += 1;
  return at;
}

/** Where the object or array that begins at `start` ends. */
function endOfNested(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfString(json, at) - 1;
    else if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** Whether the byte is `{` or `[`, which differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/** Whether the byte is `}` or `]`, which differ in one bit. */
function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}
