import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays } from "@nutrition/core/civil-date";
import { newId } from "@nutrition/core/ids";
import type { RequestContext } from "@nutrition/core/request-context";
import type { Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import { dayLinesRefusal } from "../domain/day-lines.ts";
import type { EstimatedLine } from "../domain/estimate.ts";
import { fingerprintOf, foldFoodText, hashOf } from "../domain/fingerprint.ts";
import type { Fingerprint } from "../domain/fingerprint.ts";
import { parseFoodLog } from "../domain/food-log.ts";
import type { FoodLog, FoodLogInput } from "../domain/food-log.ts";
import { logDateRefusal } from "../domain/log-date.ts";
import { formatRelativeDate } from "../domain/relative-date.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { appendItems, countLiveItems, getDayDocument, upsertEntry } from "../store/entry-store.ts";
import type { NewItem } from "../store/entry-store.ts";
import type { CommittedWrite } from "./commit-write.ts";
import { estimateLines } from "./estimate-lines.ts";
import { loggedDay } from "./logged-day.ts";
import { idempotencyTtlMs } from "./idempotency-ttl.ts";
import { getWriterSettings } from "../store/settings-store.ts";
import type { WriterSettings } from "../store/settings-store.ts";
import type { WriteDependencies, WriteOutcome } from "./guarded-write.ts";

const TOOL = "log_food";
const ADVICE =
  "Nothing was logged. To repeat what was eaten before, read that day with list_food_entries and log its lines; to correct a line, use edit_food_item.";

interface Day {
  actor: Actor;
  date: string;
  settings: WriterSettings;
}

/** Appends the lines to the day, in order, or returns a refusal. */
export async function logFood(
  dependencies: WriteDependencies,
  { actor, input }: { actor: Actor; input: FoodLogInput },
  context: RequestContext,
): Promise<WriteOutcome> {
  const log = parseFoodLog(input);
  if ("code" in log) return { refusal: log };
  const { shares, clock, writes, duplicateWindowMs } = dependencies;
  const { accountId } = actor;
  const db = shares.quick.reading(accountId, context.signal);
  const settings = await getWriterSettings(db, accountId, clock.now());
  const hashOn = (date: CivilDate) => hashOf(TOOL, [...foodTexts(log), date]);
  const call = { accountId, now: clock.now(), idempotencyTtlMs: duplicateWindowMs, hashOn };
  const date = log.date ?? (await loggedDay(db, settings, call));
  const dateRefusal = logDateRefusal(date, settings);
  if (dateRefusal) return { refusal: dateRefusal };
  return writes.run(
    {
      actor,
      tool: TOOL,
      fingerprint: fingerprint(log, date),
      idempotencyTtlMs: idempotencyTtlMs(log.idempotencyKey, duplicateWindowMs),
      queryDate: null,
      createdLines: log.lines.length,
      find: async (db) => {
        const live = await countLiveItems(db, accountId, date);
        const refusal = dayLinesRefusal(date, { live, added: log.lines.length });
        return refusal ? { refusal } : { target: { date } };
      },
      prepare: (_, detached) => {
        const texts = { lines: log.lines, details: log.details, correction: null };
        const about = { accountId, bias: settings.bias, field: "food_text", advice: ADVICE };
        return estimateLines(dependencies, { ...texts, ...about }, detached);
      },
      commit: (tx, _, estimates) =>
        insertLines(tx, { actor, date, settings }, { log, estimates, now: clock.now() }),
    },
    context,
  );
}

function foodTexts({ lines, details }: FoodLog) {
  return [foldFoodText(lines.join("\n")), details && foldFoodText(details)];
}

/** Today's fingerprint is the same with and without an explicit date. */
function fingerprint(log: FoodLog, date: CivilDate): Fingerprint {
  const texts = foodTexts(log);
  const fingerprint = fingerprintOf(TOOL, [...texts, date], log.idempotencyKey);
  if (log.date !== undefined) return fingerprint;
  // With an idempotency key, the first call may have been a day earlier.
  const sameArguments = [hashOf(TOOL, [...texts, addDays(date, -1)])];
  return { ...fingerprint, isUndated: true, sameArguments };
}

async function insertLines(
  tx: Transaction,
  { actor, date, settings }: Day,
  { log, estimates, now }: { log: FoodLog; estimates: readonly EstimatedLine[]; now: Date },
): Promise<CommittedWrite | { refusal: WriteRefusal }> {
  const { accountId } = actor;
  const { timezone } = settings;
  const entryId = await upsertEntry(tx, { id: newId(), accountId, date, timezone, now });
  const items = estimates.map(({ estimate, details, occasion }, index): NewItem => ({
    id: newId(),
    description: log.lines[index] as string,
    // Details of a single line are kept as they were written.
    details: estimates.length === 1 ? log.details : details,
    estimate,
    occasion,
  }));
  const itemIds = items.map((item) => item.id);
  const [lines, day] = await Promise.all([
    appendItems(tx, { id: entryId, accountId, now }, items),
    getDayDocument(tx, accountId, { entryId, itemIds }),
  ]);
  // Others may have added lines to the day since the earlier check.
  const added = items.length;
  const refusal = dayLinesRefusal(date, { live: lines - added, added });
  if (refusal) return { refusal };
  const result = {
    date_interpreted_as: JSON.stringify(formatRelativeDate(date, settings)),
    timezone: day.timezone,
    entry_id: JSON.stringify(entryId),
    items: day.items,
    totals: day.totals,
    goals: day.goals,
    remaining: day.remaining,
  };
  return { entryId, itemIds, before: "[]", after: day.items, result };
}
