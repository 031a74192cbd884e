/**
 * An error that is an answer and not a fault of ours. It has no stack, which nobody would read and
 * which costs more than everything else done for a refused request.
 */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
