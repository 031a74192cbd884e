import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The collector of the telemetry benchmark, a separate process: accepts everything, keeps nothing.
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end());
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
process.once("disconnect", () => process.exit());
