import type { Database, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Policy } from "../src/domain/policy.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { microseconds, timestamptz } from "../src/store/microseconds.ts";

interface Event {
  atUs: number;
  kind: LimitRequest["kind"];
  cost: number;
  lines: number;
  journalDate: string | null;
  state: string;
}

interface Remembered {
  events: Event[];
  lastAtUs: number;
  /** Whether these are freshly read. */
  isFresh: boolean;
}

interface Row extends Omit<Event, "atUs" | "journalDate"> {
  now_us: number;
  subject: string | null;
  at_us: number | null;
  journal_date: string | null;
}

const LOCK = `select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(subject, 7301) as key from unnest($1::text[]) as s (subject)
    order by key offset 0
  ) as sorted`;

const LIST = `select ${microseconds("t.now")} as now_us, e.subject, ${microseconds("e.at")} as at_us,
    e.kind, e.cost, e.lines, e.journal_date, e.state
  from (select clock_timestamp() as now offset 0) as t
  left join (
    select e.* from unnest($1::text[], $2::bigint[]) as wanted (subject, since_us)
    join usage_events e on e.subject = wanted.subject and e.at >= ${timestamptz("since_us")}
  ) as e on true
  order by e.subject, e.at`;

const INSERT = `insert into usage_events (subject, at, kind, cost, lines, journal_date, credential_id,
    request_id, state)
  values ($1, ${timestamptz("$2::bigint")}, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * A frozen copy of the version from before account-wide decisions: its locks, reads, writes and
 * assumptions. It locks and caches each subject separately, knows no account ceiling, and reads
 * nothing before the last event that it knows.
 */
export class PreviousVersion {
  readonly #database: Database;
  readonly #policies: readonly Policy[];
  readonly #known = new Map<string, Remembered>();

  constructor(database: Database, policies: readonly Policy[]) {
    this.#database = database;
    this.#policies = policies;
  }

  /** Decides in one transaction. Returns whether each was allowed. */
  async decide(limitRequests: readonly LimitRequest[]): Promise<boolean[]> {
    const subjects = [...new Set(limitRequests.map(({ subject }) => subject))];
    return this.#database.transaction(async (tx) => {
      await tx.query({ text: LOCK, values: [subjects] });
      const nowUs = await this.#read(tx, subjects);
      const answers: boolean[] = [];
      for (const limitRequest of limitRequests)
        answers.push(await this.#decideOne(tx, limitRequest, nowUs));
      for (const known of this.#known.values()) known.isFresh = false;
      return answers;
    });
  }

  async #read(tx: Transaction, subjects: readonly string[]): Promise<number> {
    const since = subjects.map((subject) => (this.#known.get(subject)?.lastAtUs ?? 0) + 1);
    const rows = await tx.query<Row>({ text: LIST, values: [subjects, since] });
    for (const subject of subjects) {
      if (this.#known.has(subject)) continue;
      this.#known.set(subject, { events: [], lastAtUs: 0, isFresh: true });
    }
    for (const { subject, at_us: atUs, journal_date: journalDate, ...row } of rows) {
      const known = this.#known.get(subject ?? "");
      if (!known || atUs === null) continue;
      known.lastAtUs = atUs;
      if (row.state !== "released") known.events.push({ ...row, atUs, journalDate });
    }
    return rows[0]?.now_us ?? 0;
  }

  async #decideOne(tx: Transaction, limitRequest: LimitRequest, nowUs: number): Promise<boolean> {
    const known = this.#known.get(limitRequest.subject) as Remembered;
    if (!this.#fits(known, limitRequest, nowUs)) {
      const mayHaveReleased = known.events.some(({ state }) => state === "reserved");
      if (known.isFresh || !mayHaveReleased) return false;
      this.#known.delete(limitRequest.subject);
      await this.#read(tx, [limitRequest.subject]);
      return this.#decideOne(tx, limitRequest, nowUs);
    }
    await this.#log(tx, limitRequest, Math.max(nowUs, known.lastAtUs + 1));
    return true;
  }

  #fits({ events }: Remembered, limitRequest: LimitRequest, nowUs: number): boolean {
    return this.#policies.filter(appliesTo(limitRequest)).every((policy) => {
      const startUs = nowUs - policy.windowSeconds * 1_000_000;
      const counted = events.filter(({ atUs }) => atUs >= startUs);
      const used = counted.reduce((sum, event) => sum + unitsOf(policy, event), 0);
      return used + unitsOf(policy, limitRequest) <= policy.max;
    });
  }

  async #log(tx: Transaction, limitRequest: LimitRequest, atUs: number): Promise<void> {
    const { subject, kind, cost, lines, journalDate, reservationId: id, accountId } = limitRequest;
    const state = id === null ? "committed" : "reserved";
    const known = this.#known.get(subject) as Remembered;
    known.events.push({ atUs, kind, cost, lines, journalDate, state });
    known.lastAtUs = atUs;
    const usage = [
      kind,
      cost,
      lines,
      journalDate,
      limitRequest.credentialId,
      limitRequest.requestId,
      state,
    ];
    await tx.query({ text: INSERT, values: [subject, atUs, ...usage] });
    await tx.query(sql`insert into subjects (subject, account_id, last_at)
      select ${subject}, ${accountId}, at from usage_events
      where subject = ${subject} order by at desc limit 1
      on conflict (subject) do update set last_at = excluded.last_at`);
    if (id === null) return;
    await tx.query(sql`insert into reservations (id, subject, at, expires_at)
      select ${id}, subject, at, at + interval '1 minute' from usage_events
      where subject = ${subject} order by at desc limit 1`);
  }
}

const COUNTED_BY = { api_key: "api_key_requests", connector: "connector_requests" } as const;

function appliesTo({ subjectKind }: LimitRequest): (policy: Policy) => boolean {
  return ({ counts }) =>
    subjectKind === "account"
      ? counts === "mutations" || counts === "lines"
      : counts === COUNTED_BY[subjectKind];
}

function unitsOf({ counts, kinds }: Policy, usage: Pick<Event, "kind" | "cost" | "lines">): number {
  if (counts === "lines") return usage.lines;
  return !kinds || kinds.some((kind) => kind === usage.kind) ? usage.cost : 0;
}
