import { WRITE_TOOLS } from "@nutrition/core/write-tools";
import {
  UNVERIFIABLE_TOKEN,
  httpServerRequestDuration,
  mcpServerOperationDuration,
} from "@nutrition/telemetry/metrics/standard";

import { bucketOf, countOf } from "./promql.ts";

/** A service level objective: the share of requests that must succeed in time. */
export interface Objective {
  /** Name in rules, such as `reads`. */
  readonly name: string;
  /** Title, such as "Reads". */
  readonly title: string;
  /** Share of good requests, such as 0.999. */
  readonly target: number;
  /** Selectors of good requests and of all counted requests. */
  readonly series: readonly { readonly good: string; readonly all: string }[];
}

/**
 * Tool errors that the caller must fix, like 4xx over REST: they count neither as good nor as bad.
 */
const OF_THE_CALLER = [
  ...["invalid_input", "limit_exceeded", "not_same_entry", "insufficient_scope"],
  ...["premium_required", "item_not_found", "ambiguous_item", "item_changed"],
  ...["analysis_failed", "rate_limit_exceeded"],
].join("|");

const READ_TOOLS = "get_.+|list_.+";

/** The period of the objectives, in days. */
export const OBJECTIVE_DAYS = 30;

export const OBJECTIVES: readonly Objective[] = [
  {
    name: "reads",
    title: "Reads",
    target: 0.999,
    series: [overRest("0.3"), byTool(READ_TOOLS, "0.3")],
  },
  {
    name: "writes",
    title: "Writes",
    target: 0.99,
    series: [byTool(Object.keys(WRITE_TOOLS).join("|"), "5.0")],
  },
];

/**
 * Excludes 4xx, which the caller must fix, and 503 for tokens with an unknown key while the
 * identity provider is unavailable, because strangers can cause any number of them. KeySetAway and
 * KeySetMissing alert when people are affected. `within` is a bound of the histogram in seconds, in
 * OpenMetrics notation.
 */
function overRest(within: string) {
  const route = 'http_route=~"/api/v1/.+"';
  return {
    good: `${bucketOf(httpServerRequestDuration)}{${route},http_response_status_code=~"2..",le="${within}"}`,
    all: `${countOf(httpServerRequestDuration)}{${route},http_response_status_code!~"4..",error_type!="${UNVERIFIABLE_TOKEN}"}`,
  };
}

function byTool(tools: string, within: string) {
  const tool = `mcp_method_name="tools/call",gen_ai_tool_name=~"${tools}"`;
  return {
    good: `${bucketOf(mcpServerOperationDuration)}{${tool},error_type="",le="${within}"}`,
    all: `${countOf(mcpServerOperationDuration)}{${tool},error_type!~"${OF_THE_CALLER}"}`,
  };
}
