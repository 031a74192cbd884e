import type { Clock } from "@nutrition/core/clock";

export interface ExpiringMapOptions {
  clock: Clock;
  lifetimeMs: number;
  /** Maximum size, beyond which the oldest value is dropped. */
  max: number;
}

/** A map whose values expire, by monotonic time: they do not outlive the process. */
export class ExpiringMap<Value> {
  readonly #options: ExpiringMapOptions;
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>();

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
  }

  set(key: string, value: Value): void {
    const { clock, lifetimeMs, max } = this.#options;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= max) this.#entries.delete(oldest);
    this.#entries.set(key, { value, expiresAtMs: clock.monotonicMs() + lifetimeMs });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.expiresAtMs <= this.#options.clock.monotonicMs()) return undefined;
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Returns and deletes the value. */
  take(key: string): Value | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }
}
