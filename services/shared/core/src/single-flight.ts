/** Coalesces concurrent work: callers with the same name share one execution. */
export class SingleFlight<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  /** Returns the result of the work running under `name`, starting `work` if there is none. */
  run(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(name);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
