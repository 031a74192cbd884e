import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/**
 * A child process that executes one order at a time, so that a load generator slows down neither
 * the measuring process nor other loads.
 */
export class WorkerProcess<Order extends object, Result> implements Disposable {
  readonly #child: ChildProcess;
  readonly #ended = new AbortController();

  /** `module` calls `serveOrders` with a function that executes an order. */
  constructor(module: URL) {
    this.#child = fork(module);
    this.#child.once("exit", () => this.#ended.abort(new Error(`${module.pathname} has exited.`)));
  }

  /** Resolves to the order's result. Rejects when the signal aborts. */
  async run(order: Order, signal: AbortSignal): Promise<Result> {
    const either = AbortSignal.any([signal, this.#ended.signal]);
    const answered = once(this.#child, "message", { signal: either });
    this.#child.send(order);
    const [result] = (await answered) as [Result];
    return result;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}

/** Executes the orders of the parent process until that exits. */
export function serveOrders<Order, Result extends object>(
  run: (order: Order) => Promise<Result>,
): void {
  process.on("message", (order: Order) => {
    run(order).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.once("disconnect", () => process.exit());
}
