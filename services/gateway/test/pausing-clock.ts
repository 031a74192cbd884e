import { ManualClock } from "@nutrition/core/clock";

/** A clock whose pauses end when told, so that what waits together can be seen. */
export class PausingClock extends ManualClock {
  readonly #ends: (() => void)[] = [];

  /** How many wait. */
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
