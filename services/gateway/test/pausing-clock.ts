import { ManualClock } from "@nutrition/core/clock";

/** A clock whose pauses end on command, so that waiting calls can be observed. */
export class PausingClock extends ManualClock {
  readonly #ends: (() => void)[] = [];

  /** Number of waiting calls. */
  get pauses(): number {
    return this.#ends.length;
  }

  override sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.push(() => {
      this.advance(ms);
      resolve();
    });
    return promise;
  }

  async endPauses(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await Promise.resolve();
  }
}
