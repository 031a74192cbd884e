import { readFile } from "node:fs/promises";

import type { Logger } from "@nutrition/core/logger";

import type { PolicySet } from "../domain/policy.ts";
import { parsePolicyFile } from "../domain/policy-file.ts";

export interface PolicySourceOptions {
  file: string;
  /** Policies in the file when the service started. */
  initial: PolicySet;
  logger: Logger;
  /** Called after different policies have taken effect. */
  onChange: (policies: PolicySet) => void;
}

/** The policies in effect: the last valid content of the file. */
export class PolicySource {
  readonly #options: PolicySourceOptions;
  #current: PolicySet;
  #refusedText: string | undefined;

  constructor(options: PolicySourceOptions) {
    this.#options = options;
    this.#current = options.initial;
  }

  get current(): PolicySet {
    return this.#current;
  }

  /** Reads the file again. An invalid file changes nothing and is logged once. */
  async reload(): Promise<void> {
    const { file, logger, onChange } = this.#options;
    let text = "";
    try {
      text = await readFile(file, "utf8");
      const read = parsePolicyFile(text);
      this.#refusedText = undefined;
      if (read.version === this.#current.version) return;
      this.#current = read;
      onChange(read);
      logger.info({ file, version: read.version }, "loaded new policies");
    } catch (error) {
      if (text === this.#refusedText) return;
      this.#refusedText = text;
      logger.error(
        { file, err: error },
        "rejected the policy file; the previous policies stay in effect",
      );
    }
  }
}
