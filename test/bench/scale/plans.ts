// Plans of all statements that services ran, those inside functions included, as PostgreSQL's
// auto_explain wrote them to its log.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { withClient } from "../edge/databases.ts";
import type { Environment } from "../edge/environment.ts";

/** A statement, with the worst of its plans. */
export interface Planned {
  statement: string;
  /** Times it was run. */
  runs: number;
  /** Most rows that a run read, those that a condition removed after the read included. */
  rows: number;
  /** Tables that were read from the first row to the last. */
  scanned: string[];
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

interface LoggedPlan {
  "Query Text": string;
  Plan: PlanNode;
}

const SETTINGS = [
  "session_preload_libraries = 'auto_explain'",
  "auto_explain.log_min_duration = 0",
  "auto_explain.log_analyze = on",
  "auto_explain.log_timing = off",
  "auto_explain.log_nested_statements = on",
  "auto_explain.log_format = json",
];

/** Has the plans of all later connections to the database logged. */
export async function logPlans(environment: Environment, database: string): Promise<void> {
  await withClient(environment.databaseUrl(database), async (client) => {
    for (const setting of SETTINGS) await client.query(`alter database ${database} set ${setting}`);
  });
}

/** Everything that was logged, statements that read the most first. */
export async function readPlans({ folder }: Environment): Promise<Planned[]> {
  return plansOf(await readFile(join(folder, "postgres.log"), "utf8"));
}

/** The plans in a log of PostgreSQL. */
export function plansOf(log: string): Planned[] {
  const found = new Map<string, Planned>();
  // A message's lines after the first begin with a tab.
  for (const [, json = ""] of log.matchAll(/ plan:\n((?:\t.*\n)+)/g)) {
    const { "Query Text": text, Plan: plan } = JSON.parse(json) as LoggedPlan;
    const statement = text.replace(/\s+/g, " ").trim();
    const known = found.get(statement) ?? { statement, runs: 0, rows: 0, scanned: [] };
    const run = { rows: 0, scanned: new Set(known.scanned) };
    visit(plan, run);
    found.set(statement, {
      statement,
      runs: known.runs + 1,
      rows: Math.max(known.rows, run.rows),
      scanned: [...run.scanned],
    });
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows);
}

function visit(node: PlanNode, run: { rows: number; scanned: Set<string> }): void {
  const table = node["Relation Name"];
  if (table !== undefined && node["Node Type"] !== "ModifyTable") {
    const each = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
    run.rows += Math.round(each * (node["Actual Loops"] ?? 0));
    if (node["Node Type"] === "Seq Scan") run.scanned.add(table);
  }
  node.Plans?.forEach((child) => visit(child, run));
}
