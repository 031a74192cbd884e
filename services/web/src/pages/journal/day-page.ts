import { addDays, civilDateIn } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import { markup } from "@nutrition/core/markup";
import type { Grant, Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Response } from "express";

import { getProfile } from "../../clients/account-profile.ts";
import type { Backends } from "../../clients/backends.ts";
import type { DayTotals, PersonSettings, Summary } from "../../clients/journal-documents.ts";
import { getSettings, listWeights, readDocument } from "../../clients/journal-documents.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import { Display } from "../../domain/display.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Person } from "../../clients/person.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { TIMEZONE_SCRIPT, timezoneNotice } from "../timezone-notice.ts";
import { averagesSection } from "./averages-view.ts";
import { dayHead, exportSection } from "./day-view.ts";
import { firstSteps } from "./first-steps.ts";
import type { DayHistory } from "./history-view.ts";
import { historySection } from "./history-view.ts";
import type { Occasions } from "./items-view.ts";
import { emptyDay, isBasicProfile, itemsSection } from "./items-view.ts";
import { totalsSection } from "./totals-view.ts";
import { TREND_DAYS_MAX } from "./trend-days.ts";
import type { Trends } from "./trends-view.ts";
import { trendsSection } from "./trends-view.ts";

const HISTORY_MAX = 100;
const WEIGHTS_MAX = 365;

/** The requested part of the journal. */
export interface DayRequest {
  /** Undefined for today in the person's time zone. */
  readonly date: CivilDate | undefined;
  /** Length of the trends in days; only today's page shows trends. */
  readonly trendDays: number;
}

/** Responds with a day of the person's journal. */
export async function sendDayPage(
  { backends, clock, baseUrl }: PageDependencies,
  { response, person }: { response: Response; person: Person },
  asked: DayRequest,
): Promise<void> {
  const settings = await getSettings(backends, person);
  const { locale } = visitOf(response);
  const here = { timeZone: settings.timezone, now: clock.now(), locale };
  const display = new Display(locale, settings.units);
  const today = civilDateIn(here.timeZone, here.now);
  const date = asked.date ?? today;
  const [summary, occasions, history, profile, trends] = await Promise.all([
    getSummary(backends, person, date),
    getOccasions(backends, person, date),
    getHistory(backends, person, date),
    undefinedIfUnavailable(getProfile(backends, person)),
    asked.date === undefined
      ? getTrends({ backends, person, settings }, today, asked.trendDays)
      : undefined,
  ]);
  const ifEmpty = emptyDay(date === today, profile, baseUrl);
  const { isWaterShown = false, totals = [] } = trends ?? {};
  // The steps begin with the time zone.
  const isNew = trends?.totals.length === 0;
  const body = markup`${dayHead(date, today, display)}
    ${isNew ? firstSteps(settings, { hasWriter: history.hasWriter, isBasic: isBasicProfile(profile) }) : timezoneNotice(settings.timezone)}
    ${totalsSection(summary, settings, display)}
    ${itemsSection(summary, { occasions, ifEmpty }, display)}
    ${historySection(history, { viewer: here, display })}
    ${averagesSection({ totals, today, isWaterShown }, display)}
    ${trends ? trendsSection(trends, display) : ""}
    ${exportSection()}`;
  const scripts = [TIMEZONE_SCRIPT, "copy.js", ...(trends ? ["charts.js"] : [])];
  sendPage(response, person, { title: "Journal", body, scripts });
}

async function getSummary(
  { journal }: Backends,
  person: Person,
  date: CivilDate,
): Promise<Summary> {
  const { json } = await journal.getSummary({ date }, callOptionsFor(person));
  return readDocument<Summary>(json);
}

async function getOccasions(
  { journal }: Backends,
  person: Person,
  date: CivilDate,
): Promise<Occasions> {
  return (await journal.listOccasions({ date }, callOptionsFor(person))).occasions;
}

async function getHistory(
  { journal, auth }: Backends,
  person: Person,
  date: CivilDate,
): Promise<DayHistory & { hasWriter: boolean }> {
  const call = callOptionsFor(person);
  const [{ mutations, nextPageToken }, keys, grants] = await Promise.all([
    journal.listMutations({ date, pageSize: HISTORY_MAX }, call),
    undefinedIfUnavailable(auth.listKeys({ includeInactive: true }, call)),
    undefinedIfUnavailable(auth.listGrants({}, call)),
  ]);
  const writers = keys && grants && writerNames(keys.keys, grants.grants);
  return {
    mutations,
    isCut: nextPageToken !== "",
    writers,
    hasWriter: writers === undefined || writers.size > 0,
  };
}

function writerNames(keys: readonly Key[], grants: readonly Grant[]): Map<string, string> {
  return new Map([
    ...keys.map(({ id, name, prefix }) => [id, name === "" ? prefix : name] as const),
    ...grants.map(({ clientId, clientName }) => [clientId, clientName] as const),
  ]);
}

async function getTrends(
  { backends, person, settings }: { backends: Backends; person: Person; settings: PersonSettings },
  today: CivilDate,
  days: number,
): Promise<Trends> {
  // Averages exclude today, so they need one more day.
  const range = { startDate: addDays(today, -TREND_DAYS_MAX), endDate: today };
  const [{ json }, weights] = await Promise.all([
    backends.journal.listDailyTotals(range, callOptionsFor(person)),
    listWeights(backends, person, WEIGHTS_MAX),
  ]);
  return {
    days,
    firstDate: addDays(today, 1 - days),
    lastDate: today,
    totals: readDocument<DayTotals[]>(json),
    weights,
    goals: settings.nutrition_goals,
    isWaterShown: settings.water.enabled,
  };
}
