/** Operations that can be told apart; further ones are not counted. */
const OPERATIONS_MAX = 256;
const LATEST = 0;

/** Counts of operations in memory that another thread can read while this one is blocked. */
export const underWay = new Int32Array(
  new SharedArrayBuffer((OPERATIONS_MAX + 1) * Int32Array.BYTES_PER_ELEMENT),
);
const names: string[] = [];
let onName: (name: string) => void = () => {};

/** A kind of work of this process, such as a method or a class of requests. Its name is safe to log. */
export class Operation {
  readonly #number: number;

  constructor(name: string) {
    const known = names.indexOf(name);
    this.#number = known < 0 ? names.push(name) : known + 1;
    if (known < 0) onName(name);
  }

  begin(): void {
    if (this.#number > OPERATIONS_MAX) return;
    Atomics.add(underWay, this.#number, 1);
    Atomics.store(underWay, LATEST, this.#number);
  }

  end(): void {
    if (this.#number <= OPERATIONS_MAX) Atomics.sub(underWay, this.#number, 1);
  }
}

/** Calls `listener` with each name, in the order of the counts: those that are known, and later ones. */
export function listenToNames(listener: (name: string) => void): void {
  onName = listener;
  names.forEach(listener);
}
