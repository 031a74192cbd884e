/**
 * Functions, classes and constants of `node:http`. Importing them from there would evaluate every export,
 * including `WebSocket`, which loads undici: 6 MB per process (docs/decisions/0054).
 */
export const { Agent, IncomingMessage, STATUS_CODES, ServerResponse, createServer, get } =
  process.getBuiltinModule("node:http");
