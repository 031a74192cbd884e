const HEAD_END = "\r\n\r\n";
const HEAD_BYTES_MAX = 65_536;

/** Reads the responses on one HTTP/1.1 connection and keeps only their status. */
export class AnswerReader {
  #head = "";
  #status = 0;
  #bodyBytesLeft = 0;

  /** Adds received bytes; returns the status of each completed response. */
  read(chunk: Buffer): number[] {
    const statuses: number[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#status === 0 ? this.#readHead(rest) : this.#readBody(rest);
      if (this.#status === 0 || this.#bodyBytesLeft > 0) continue;
      statuses.push(this.#status);
      this.#status = 0;
    }
    return statuses;
  }

  #readHead(chunk: Buffer): Buffer {
    const before = this.#head.length;
    this.#head += chunk.toString("latin1");
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) {
      if (this.#head.length > HEAD_BYTES_MAX) throw new Error("The head of an answer never ends.");
      return chunk.subarray(chunk.length);
    }
    const head = this.#head.slice(0, end);
    this.#head = "";
    if (/^transfer-encoding:/im.test(head)) throw new Error("Chunked answers are not read here.");
    this.#status = Number(head.slice(9, 12));
    // Node's own responses to unreadable requests have no body and no length.
    this.#bodyBytesLeft = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    return chunk.subarray(end + HEAD_END.length - before);
  }

  #readBody(chunk: Buffer): Buffer {
    const taken = Math.min(chunk.length, this.#bodyBytesLeft);
    this.#bodyBytesLeft -= taken;
    return chunk.subarray(taken);
  }
}
