const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

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

  /** Finds the values in the object that begins at `start`; returns where the object ends. */
  find(json: Uint8Array, start: number): number {
    const { starts, ends } = this;
    starts.fill(0);
    ends.fill(0);
    let expected = 0;
    let at = start + 1;
    while (json[at] === QUOTE) {
      const index = this.#indexAt(json, at, expected);
      const name = this.#names[index];
      const value = name ? at + name.length : endOfString(json, at) + 1;
      at = endOfValue(json, value);
      if (name) {
        starts[index] = value;
        ends[index] = at;
        expected = index + 1;
      }
      if (json[at] === COMMA) at += 1;
    }
    return at + 1;
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

/** Where the value that begins at `start` ends. */
function endOfValue(json: Uint8Array, start: number): number {
  if (json[start] === QUOTE) return endOfString(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (depth === 0 && (byte === COMMA || isClosing(byte))) return at;
    if (byte === QUOTE) at = endOfString(json, at) - 1;
    else if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
  }
  return json.length;
}

/** Whether the byte is `{` or `[`. */
function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

/** Whether the byte is `}` or `]`. */
function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
}
