import { Dispatcher } from "@nutrition/gateway/mcp/dispatcher";
import { textOf } from "@nutrition/gateway/domain/json-pieces";
import { createTool } from "@nutrition/gateway/mcp/tools/tool";
import { TOOL_OPERATIONS } from "@nutrition/gateway/operations/operations";
import { CallScope } from "@nutrition/rpc/call-scope";

const WARM_UP = 2_000;
const CALLS = 20_000;

const PRINCIPAL = {
  user: {
    accountId: "",
    credentialKind: "api_key",
    credentialId: "",
    scopes: ["service.read", "nutrition.write"],
  },
  hasPremiumAccess: true,
} as const;

/** Microseconds of one `tools/list` of all tools, without admission. */
export async function measureToolList(): Promise<number> {
  // Listing tools needs no backend.
  const services = { auth: {} as never, journal: {} as never };
  const tools = TOOL_OPERATIONS.map((operation) => createTool(operation, services));
  const dispatcher = new Dispatcher(tools, { baseUrl: "http://localhost", support: "nobody" });
  const list = () =>
    dispatcher.answer(
      { kind: "request", id: 1, method: "tools/list", params: {} },
      {
        era: "modern",
        version: "2026-07-28",
        principal: PRINCIPAL,
        requestId: "",
        calls: new CallScope(),
        onError: () => {},
        onAnswered: () => {},
      },
    );
  for (let count = 0; count < WARM_UP; count += 1) await list();
  const startedMs = performance.now();
  // Includes serialization, because bytes are sent.
  for (let count = 0; count < CALLS; count += 1) Buffer.from(textOf((await list()).body));
  return ((performance.now() - startedMs) * 1_000) / CALLS;
}
