/**
 * An error that is an expected answer and not a bug. It has no stack: nobody would read it, and
 * capturing it costs more than all other work for a refused request.
 */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
