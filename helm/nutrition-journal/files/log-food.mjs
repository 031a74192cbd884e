// Logs a food like an assistant and reads it back over REST, with a new account that it erases at
// the end. Runs in the image of the operator's command line.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";

const GATEWAY = process.env.GATEWAY_URL;
/** New services become reachable only once the cluster's DNS stops caching their absence. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
const email = `helm-test-${randomUUID()}@example.invalid`;

try {
  await patiently(() => admin("accounts", "create", "--email", email, "--premium"));
  const { key } = admin(
    "keys",
    "create",
    "--account",
    email,
    "--scopes",
    "service.read,nutrition.write",
  );
  const headers = { authorization: `Bearer ${key}` };
  await patiently(() => get(headers, "/api/v1/me"));
  // The idempotency key makes repeated calls log the food once.
  const logged = await patiently(() =>
    callTool(headers, "log_food", { food_text: "2 scrambled eggs" }),
  );
  const today = await get(headers, "/api/v1/nutrition/summary");
  const [item] = today.entries[0].items;
  if (item.id !== logged.items[0].id) throw new Error("REST does not return what was logged.");
  console.log(
    `Logged "${item.description}" over MCP, read ${today.totals.calories} kcal over REST.`,
  );
} finally {
  admin("accounts", "erase", email, "--yes");
}

async function patiently(work) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

function admin(...args) {
  const { status, stdout, stderr } = spawnSync("node", ["/app/main.ts", ...args, "--json"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`admin ${args.slice(0, 2).join(" ")} failed: ${stderr}`);
  return JSON.parse(stdout);
}

async function callTool(headers, name, args) {
  const response = await fetch(`${GATEWAY}/mcp`, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  });
  const { result, error } = await response.json();
  if (!result || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
  return result.structuredContent;
}

async function get(headers, path) {
  const response = await fetch(GATEWAY + path, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
