/**
 * Values of `node:http`. An `import` from there reads all its exports, among them WebSocket, and so loads
 * undici, which takes 6 MB of each process (docs/decisions/0054).
 */
export const { Agent, IncomingMessage, STATUS_CODES, ServerResponse, createServer, get } =
  process.getBuiltinModule("node:http");
