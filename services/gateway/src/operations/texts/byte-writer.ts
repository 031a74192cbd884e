/** Appends bytes of UTF-8 to a buffer that is used again. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(32_768);
  #length = 0;

  /** Begins another text. */
  clear(): void {
    this.#length = 0;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  /** Appends the bytes from `start` to `end`, for which there must be room. */
  add(source: Uint8Array, start = 0, end = source.length): void {
    const bytes = this.#bytes;
    let at = this.#length;
    // Faster than `set` for the few bytes of a figure or a label.
    for (let from = start; from < end; from += 1, at += 1) bytes[at] = source[from] as number;
    this.#length = at;
  }

  /** Appends text, growing the buffer if needed. */
  addText(text: string): void {
    this.reserve(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** The bytes written so far, not copied: the next text overwrites them. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The text as a string. */
  toString(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }
}
