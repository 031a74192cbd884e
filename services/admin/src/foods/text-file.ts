import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";

import { Failure } from "@nutrition/core/failure";

/** A line of a file, without its line feed. */
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined for a line longer than any food needs; its text is skipped. */
  readonly text: string | undefined;
}

const LINES_AT_ONCE = 500;
const LINE_CHARACTERS_MAX = 100_000;

/** A text file with one food per line, gzip-compressed if its name ends in `.gz`. */
export class TextFile {
  readonly path: string;
  /** Size on disk, in bytes. */
  readonly bytes: number;

  private constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<TextFile> {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return new TextFile(path, found.size);
    throw new Failure("not_found", "FILE_NOT_FOUND", `The file ${path} does not exist.`);
  }

  /** The lines, in batches; calls `onProgress` with the bytes read from disk so far. */
  async *lines(onProgress: (bytes: number) => void): AsyncGenerator<readonly TextLine[]> {
    const { path } = this;
    const file = createReadStream(path);
    const text = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
    file.on("error", (error) => text.destroy(error));
    const splitter = new LineSplitter();
    try {
      for await (const chunk of text as AsyncIterable<Buffer>) {
        splitter.add(chunk);
        if (splitter.lines.length < LINES_AT_ONCE) continue;
        onProgress(file.bytesRead);
        yield splitter.lines.splice(0);
      }
    } catch (error) {
      const message = `${path} is unreadable after line ${splitter.count}. Earlier rows were imported; download the file again and repeat the command.`;
      throw new Failure("invalid_argument", "INVALID_FILE", message, { cause: error });
    } finally {
      file.destroy();
    }
    splitter.finish();
    onProgress(file.bytesRead);
    yield splitter.lines.splice(0);
  }
}

/** Splits text at line feeds. Buffers no more than the longest accepted line. */
class LineSplitter {
  readonly lines: TextLine[] = [];
  count = 0;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #isTooLong = false;

  add(chunk: Buffer): void {
    const pieces = this.#decoder.write(chunk).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      this.#extend(piece);
      this.#end();
    }
    this.#extend(last);
  }

  /** Returns the text after the last line feed. */
  finish(): void {
    this.#extend(this.#decoder.end());
    if (this.#rest !== "" || this.#isTooLong) this.#end();
  }

  #extend(piece: string): void {
    this.#isTooLong ||= this.#rest.length + piece.length > LINE_CHARACTERS_MAX;
    this.#rest = this.#isTooLong ? "" : this.#rest + piece;
  }

  #end(): void {
    this.count += 1;
    const text = this.#rest.endsWith("\r") ? this.#rest.slice(0, -1) : this.#rest;
    this.lines.push({ number: this.count, text: this.#isTooLong ? undefined : text });
    [this.#rest, this.#isTooLong] = ["", false];
  }
}
