import { newId } from "@nutrition/core/ids";
import type { Transaction } from "@nutrition/postgres/database";
import type { CallContext } from "@nutrition/rpc/context";

import type { Actor } from "../domain/actor.ts";
import type { Estimate } from "../domain/estimate.ts";
import { fingerprintOf, foldFoodText } from "../domain/fingerprint.ts";
import { parseFoodLog } from "../domain/food-log.ts";
import type { FoodLog, FoodLogInput } from "../domain/food-log.ts";
import { jsonObject } from "../domain/json-text.ts";
import { tellDate } from "../domain/told-date.ts";
import { appendItems, getDayDocument, upsertEntry } from "../store/entry-store.ts";
import type { NewItem } from "../store/entry-store.ts";
import type { CommittedWrite } from "./commit-write.ts";
import { estimateLines } from "./estimate-lines.ts";
import { recordKeepMs } from "./record-keep.ts";
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

/** Adds the lines to the day, in order, or says why not. */
export async function logFood(
  dependencies: WriteDependencies,
  { actor, input }: { actor: Actor; input: FoodLogInput },
  context: CallContext,
): Promise<WriteOutcome> {
  const log = parseFoodLog(input);
  if ("code" in log) return { refusal: log };
  const { database, clock, writes, duplicateWindowMs } = dependencies;
  const settings = await getWriterSettings(database, actor.accountId, clock.now());
  const date = log.date ?? settings.today;
  return writes.run(
    {
      actor,
      tool: TOOL,
      fingerprint: fingerprint(log),
      recordKeepMs: recordKeepMs(log.idempotencyKey, duplicateWindowMs),
      queryDate: null,
      createdLines: log.lines.length,
      find: async () => ({ target: { date } }),
      prepare: (_, detached) => {
        const texts = { lines: log.lines, details: log.details, correction: null };
        const { accountId } = actor;
        const about = { accountId, bias: settings.bias, field: "food_text", advice: ADVICE };
        return estimateLines(dependencies, { ...texts, ...about }, detached);
      },
      commit: (tx, _, estimates) =>
        insertLines(tx, { actor, date, settings }, { log, estimates, now: clock.now() }),
    },
    context,
  );
}

function fingerprint({ lines, details, date, idempotencyKey }: FoodLog) {
  const foodText = foldFoodText(lines.join("\n"));
  return fingerprintOf(TOOL, [foodText, details && foldFoodText(details), date], idempotencyKey);
}

async function insertLines(
  tx: Transaction,
  { actor, date, settings }: Day,
  { log, estimates, now }: { log: FoodLog; estimates: readonly Estimate[]; now: Date },
): Promise<CommittedWrite> {
  const { accountId } = actor;
  const { timezone } = settings;
  const entryId = await upsertEntry(tx, { id: newId(), accountId, date, timezone, now });
  const items = estimates.map((estimate, index): NewItem => ({
    id: newId(),
    description: log.lines[index] as string,
    details: log.details,
    estimate,
  }));
  await appendItems(tx, { id: entryId, accountId, now }, items);
  const itemIds = items.map((item) => item.id);
  const day = await getDayDocument(tx, accountId, { entryId, itemIds });
  const result = jsonObject({
    date: JSON.stringify(date),
    date_interpreted_as: JSON.stringify(tellDate(date, settings)),
    timezone: day.timezone,
    entry_id: JSON.stringify(entryId),
    items: day.items,
    totals: day.totals,
    goals: day.goals,
    remaining: day.remaining,
  });
  return { entryId, itemIds, before: "[]", after: day.items, result };
}
