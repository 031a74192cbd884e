import { Database } from "./database.ts";
import type { Queryable, Transaction } from "./queryable.ts";
import { sql } from "./sql.ts";
import type { Statement } from "./sql.ts";

/** Facts from the plan of a statement. */
export interface Explained {
  statement: string;
  /** Rows read from each table, those that a condition removed after the read included. */
  rows: { [table: string]: number };
  /** Tables read as a whole. */
  scanned: string[];
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

interface ExplainRow {
  "QUERY PLAN": { Plan: PlanNode }[];
}

class Undone extends Error {}

/**
 * A database that runs each statement twice: to inspect its plan, which is rolled back, and for
 * real.
 */
export class ExplainingDatabase extends Database {
  explained: Explained[] = [];

  override async runToEnd<Row>(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    const undone = super.transaction(async (tx) => {
      await this.#explain(tx, statement);
      throw new Undone();
    });
    await undone.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
    return super.runToEnd<Row>(statement, signal);
  }

  override transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction(async (tx) => {
      // One after the other: statements that are issued together would share the savepoint.
      let last: Promise<unknown> = Promise.resolve();
      const query = <Row>(statement: Statement): Promise<Row[]> => {
        const rows = last.then(() => this.#explainAndRun<Row>(tx, statement));
        last = rows;
        return rows;
      };
      const send = (statement: Statement) => void query(statement).catch(() => {});
      const result = await work({ isTransaction: true, query, send });
      await last;
      return result;
    });
  }

  async #explainAndRun<Row>(tx: Transaction, statement: Statement): Promise<Row[]> {
    await tx.query(sql`savepoint before`);
    await this.#explain(tx, statement);
    await tx.query(sql`rollback to savepoint before`);
    return tx.query<Row>(statement);
  }

  async #explain(tx: Transaction, statement: Statement): Promise<void> {
    // The plan of a prepared statement after its first uses.
    await tx.query(sql`set local plan_cache_mode = force_generic_plan`);
    this.explained.push(await explain(tx, statement));
  }
}

/** Runs the statement and returns the facts of its plan. */
export async function explain(db: Queryable, { text, values }: Statement): Promise<Explained> {
  const analysed = `explain (analyze, format json) ${text}`;
  const [row] = await db.query<ExplainRow>({ text: analysed, values });
  const explained: Explained = { statement: text, rows: {}, scanned: [] };
  visit((row as ExplainRow)["QUERY PLAN"][0]!.Plan, explained);
  return explained;
}

function visit(node: PlanNode, explained: Explained): void {
  const table = node["Relation Name"];
  if (table !== undefined) {
    const rows =
      (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
    explained.rows[table] = (explained.rows[table] ?? 0) + rows;
    if (node["Node Type"] === "Seq Scan") explained.scanned.push(table);
  }
  node.Plans?.forEach((child) => visit(child, explained));
}
