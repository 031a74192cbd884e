import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { DatabaseAccess, Queryable, Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import { parseImportedItem } from "../domain/imported-item.ts";
import { DAY_LINES_MAX } from "../domain/day-lines.ts";
import type { ImportInput, ImportProblem, ImportedItem } from "../domain/imported-item.ts";
import { endRecords } from "../store/claim-store.ts";
import {
  appendItems,
  countLiveItems,
  getDayDocument,
  lockDay,
  upsertEntry,
} from "../store/entry-store.ts";
import type { NewItem } from "../store/entry-store.ts";
import { listImportedIds } from "../store/import-store.ts";
import { sendMutation } from "../store/mutation-store.ts";
import { getWriterSettings } from "../store/settings-store.ts";

const TOOL = "import_items";

/** One batch of another service's items for an account. */
export interface ItemImport {
  actor: Actor;
  /** The service they come from. */
  source: string;
  items: readonly ImportInput[];
  /** Reports what would happen, without changing anything. */
  dryRun: boolean;
}

/** Outcome, or expected outcome, of each item of a batch. */
export interface ImportOutcome {
  imported: number;
  /** Number of items that had been imported already. */
  skipped: number;
  problems: ImportProblem[];
}

/** Work planned for one day. */
interface DayPlan {
  fresh: ImportedItem[];
  skipped: number;
  problems: ImportProblem[];
}

/**
 * Appends items to their days, in the given order, with one transaction per day. Items that were
 * imported already are skipped, so a batch can be sent again.
 */
export async function importItems(
  dependencies: { database: DatabaseAccess; clock: Clock },
  batch: ItemImport,
): Promise<ImportOutcome> {
  const { database } = dependencies;
  const { days, problems } = sortOut(batch.items);
  const outcome: ImportOutcome = { imported: 0, skipped: 0, problems };
  for (const [date, items] of days) {
    const day = { batch, date, items };
    const plan = batch.dryRun
      ? await planDay(database, day)
      : await database.transaction((tx) => importDay(tx, day, dependencies.clock.now()));
    outcome.imported += plan.fresh.length;
    outcome.skipped += plan.skipped;
    problems.push(...plan.problems);
  }
  return outcome;
}

interface Day {
  batch: ItemImport;
  date: string;
  items: readonly ImportedItem[];
}

function sortOut(inputs: readonly ImportInput[]) {
  const problems: ImportProblem[] = [];
  const seen = new Set<string>();
  const items: ImportedItem[] = [];
  for (const input of inputs) {
    const parsed = seen.has(input.externalId)
      ? { externalId: input.externalId, message: "The external_id appears twice in the batch." }
      : parseImportedItem(input);
    seen.add(input.externalId);
    if ("message" in parsed) problems.push(parsed);
    else items.push(parsed);
  }
  return { days: Map.groupBy(items, (item) => item.date), problems };
}

async function planDay(db: Queryable, { batch, date, items }: Day): Promise<DayPlan> {
  const { accountId } = batch.actor;
  const externalIds = items.map((item) => item.externalId);
  const known = await listImportedIds(db, accountId, { source: batch.source, externalIds });
  const unknown = items.filter((item) => !known.has(item.externalId));
  const room = Math.max(0, DAY_LINES_MAX - (await countLiveItems(db, accountId, date)));
  const message = `A day holds at most ${DAY_LINES_MAX} lines.`;
  return {
    fresh: unknown.slice(0, room),
    skipped: items.length - unknown.length,
    problems: unknown.slice(room).map(({ externalId }) => ({ externalId, message })),
  };
}

async function importDay(tx: Transaction, day: Day, now: Date): Promise<DayPlan> {
  const { actor, source } = day.batch;
  const { accountId } = actor;
  const { date } = day;
  await lockDay(tx, accountId, date);
  const plan = await planDay(tx, day);
  if (plan.fresh.length === 0) return plan;
  const { timezone } = await getWriterSettings(tx, accountId, now);
  const entryId = await upsertEntry(tx, { id: newId(), accountId, date, timezone, now });
  const items = plan.fresh.map((item) => newItem(item, source));
  await appendItems(tx, { id: entryId, accountId, now }, items);
  const itemIds = items.map((item) => item.id);
  const after = (await getDayDocument(tx, accountId, { entryId, itemIds })).items;
  const audit = { tool: TOOL, reservationId: null, duplicate: false, before: "[]", after, now };
  sendMutation(tx, { id: newId(), actor, entryId, date, itemIds, ...audit });
  endRecords(tx, accountId, { itemIds, date });
  return plan;
}

function newItem({ externalId, line, details, estimate }: ImportedItem, source: string): NewItem {
  const imported = { source, externalId };
  return { id: newId(), description: line, details, estimate, occasion: null, imported };
}
