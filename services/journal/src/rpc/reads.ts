import { addDays } from "@nutrition/core/civil-date";
import type { Clock } from "@nutrition/core/clock";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { DatabaseShares } from "../store/database-shares.ts";
import { listEntries } from "../store/entry-list-store.ts";
import type { EntryList } from "../store/entry-list-store.ts";
import { listOccasions } from "../store/occasion-store.ts";
import { getSettings } from "../store/settings-store.ts";
import { SummaryReader } from "../store/summary-reader.ts";
import { listDailyTotals } from "../store/summary-store.ts";
import { findWeights, listWeights } from "../store/weight-store.ts";
import { accountOf, userOf } from "./account.ts";
import { invalid, limitUpTo, optionalDate, requiredDate } from "./parameters.ts";

const ENTRIES_MAX = 90;
const FIRST_DAY = "0001-01-01";
const WEIGHTS_MAX = 365;
const FOUND_AT_ONCE_MAX = 500;
const DAILY_TOTALS_DAYS_MAX = 366;

/** PostgreSQL builds the JSON document of each read. Accounts take turns, and a cancelled read is dropped. */
export function readHandlers({ shares, clock }: { shares: DatabaseShares; clock: Clock }) {
  const summaries = new SummaryReader(shares.summaries);
  return {
    getSummary: async (request, context) => {
      const { accountId } = userOf(context);
      const date = optionalDate("date", request.date);
      const asked = { accountId, date, now: clock.now() };
      return withUnits(await summaries.get(asked, context.signal));
    },
    listEntries: async (request, context) => {
      const { accountId } = userOf(context);
      const startDate = optionalDate("start_date", request.startDate);
      const endDate = optionalDate("end_date", request.endDate);
      if (startDate !== null && endDate !== null && startDate > endDate) {
        throw invalid("start_date", "start_date must not be after end_date.");
      }
      const range = { startDate, endDate, limit: limitUpTo(ENTRIES_MAX, request.limit) };
      const linesMax = linesUpTo(request.linesMax);
      const db = shares.lists.reading(accountId, context.signal);
      const withItems = !request.withoutItems;
      const { count, endedAt, ...list } = await listEntries(db, accountId, {
        ...range,
        linesMax,
        withItems,
      });
      return { ...withUnits(list), ...restOf({ count, endedAt }, range) };
    },
    listWeights: async (request, context) => {
      const { accountId } = userOf(context);
      const limit = limitUpTo(WEIGHTS_MAX, request.limit);
      const db = shares.lists.reading(accountId, context.signal);
      return withUnits(await listWeights(db, accountId, limit));
    },
    findWeights: async ({ weights }, context) => {
      const { accountId } = userOf(context);
      if (weights.length > FOUND_AT_ONCE_MAX) {
        throw invalid("weights", `weights must be at most ${FOUND_AT_ONCE_MAX}.`);
      }
      for (const { date, weightKg } of weights) {
        requiredDate("date", date);
        if (!Number.isFinite(weightKg)) throw invalid("weight_kg", "weight_kg must be a number.");
      }
      const db = shares.lists.reading(accountId, context.signal);
      return { stored: await findWeights(db, accountId, weights) };
    },
    listDailyTotals: async (request, context) => {
      const { accountId } = userOf(context);
      const startDate = requiredDate("start_date", request.startDate);
      const endDate = requiredDate("end_date", request.endDate);
      if (endDate > addDays(startDate, DAILY_TOTALS_DAYS_MAX)) {
        throw invalid("end_date", `end_date must be at most ${DAILY_TOTALS_DAYS_MAX} days later.`);
      }
      const db = shares.lists.reading(accountId, context.signal);
      return document(await listDailyTotals(db, accountId, { startDate, endDate }));
    },
    listOccasions: async (request, context) => {
      const { accountId } = userOf(context);
      const date = requiredDate("date", request.date);
      const db = shares.lists.reading(accountId, context.signal);
      return { occasions: await listOccasions(db, accountId, date) };
    },
    getSettings: async (request, context) => {
      const accountId = accountOf(context, request.accountId);
      const db = shares.quick.reading(accountId, context.signal);
      const { json, units } = await getSettings(db, accountId);
      return { ...document(json), units };
    },
  } satisfies Handlers<typeof JournalService>;
}

/** The bound on a list's lines; null for none. */
function linesUpTo(linesMax: number): number | null {
  if (linesMax < 0) throw invalid("lines_max", "lines_max must not be negative.");
  return linesMax === 0 ? null : linesMax;
}

/** What is left of a list that ended before its range and its limit. */
function restOf(
  { count, endedAt }: Pick<EntryList, "count" | "endedAt">,
  { startDate, limit }: { startDate: string | null; limit: number },
): { rest?: { endDate: string; limit: number } } {
  if (endedAt === null || count === limit || endedAt <= (startDate ?? FIRST_DAY)) return {};
  return { rest: { endDate: addDays(endedAt, -1), limit: limit - count } };
}

function withUnits<Stored extends { readonly json: string }>({ json, ...units }: Stored) {
  return { ...document(json), ...units };
}

function document(json: string): { json: Uint8Array<ArrayBuffer> } {
  return { json: Buffer.from(json) };
}
