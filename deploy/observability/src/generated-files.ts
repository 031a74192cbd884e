import { stringify } from "yaml";

import { DASHBOARDS } from "./dashboards/all.ts";
import { toGrafana } from "./dashboards/dashboard.ts";
import { ruleFile } from "./rules.ts";

const HEADER = "# Generated from deploy/observability/src by npm run generate; do not edit.\n";

/** Every generated file: its path in each of the folders, and its text. */
export function generatedFiles(): Map<string, string> {
  const rules = HEADER + stringify(ruleFile(), { lineWidth: 0 });
  const dashboards = DASHBOARDS.map((dashboard): [string, string] => [
    `dashboards/${dashboard.uid}.json`,
    `${JSON.stringify(toGrafana(dashboard), undefined, 2)}\n`,
  ]);
  return new Map([["prometheus/rules.yaml", rules], ...dashboards]);
}
