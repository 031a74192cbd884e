/** Runs work of the same name once at a time: who asks meanwhile gets the same answer. */
export class SingleFlight<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  /** The answer of the work that runs under `name`, which `work` begins if none does. */
  run(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(name);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
