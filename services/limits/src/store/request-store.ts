import { arrayLiteral } from "@nutrition/postgres/array-literal";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { SubjectState } from "../domain/log-news.ts";
import type { LimitRequest } from "../domain/usage.ts";

/** Requests of one subject that fit according to what memory holds about the account. */
export interface KnownRequests {
  accountId: string;
  /** At least one; all of the same subject. */
  limitRequests: readonly LimitRequest[];
  /** Every subject of the account that memory holds. */
  known: readonly SubjectState[];
  /**
   * Revision of the account when its subjects were last read; undefined if memory holds nothing
   * about it.
   */
  accountRevision: number | undefined;
  /** The earliest moment for the first event. */
  firstUs: number;
  /** Memory need not include events from before this window. */
  windowSeconds: number;
}

/** The result for one `KnownRequests`. */
export interface LoggedRequests {
  /** Whether the events were logged. They are not when the log has events that memory lacks. */
  isLogged: boolean;
  /** Moment of the first event; each further one is a microsecond later. */
  atUs: number;
  accountRevision: number;
  /** When the owner of the subject was last recorded. */
  notedAtUs: number;
}

interface Row {
  now_us: number;
  at_us: number;
  is_logged: boolean;
  revision: number;
  noted_us: number;
}

const LOG = prepared(
  "log_known_requests",
  `select now_us, at_us, is_logged, revision, noted_us
   from log_known_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/**
 * Logs the requests of one or more accounts. For each account, either all are committed or none is
 * logged. Returns the database's time and the result for each account.
 */
export async function logKnownRequests(
  database: Queryable,
  requests: readonly KnownRequests[],
): Promise<{ nowUs: number; logged: LoggedRequests[] }> {
  const knownSubjects = requests.flatMap((each, index) =>
    each.known.map((subject) => ({ place: index + 1, ...subject })),
  );
  const events = requests.flatMap(({ limitRequests }, index) =>
    limitRequests.map((limitRequest) => ({ place: index + 1, limitRequest })),
  );
  const rows = await database.query<Row>(
    LOG(
      arrayLiteral(requests.map(({ accountId }) => accountId)),
      arrayLiteral(requests.map(({ limitRequests }) => (limitRequests[0] as LimitRequest).subject)),
      arrayLiteral(requests.map(({ accountRevision }) => accountRevision ?? null)),
      arrayLiteral(requests.map(({ firstUs }) => firstUs)),
      arrayLiteral(requests.map(({ windowSeconds }) => windowSeconds)),
      arrayLiteral(knownSubjects.map(({ place }) => place)),
      arrayLiteral(knownSubjects.map(({ subject }) => subject)),
      arrayLiteral(knownSubjects.map(({ lastAtUs }) => lastAtUs)),
      arrayLiteral(events.map(({ place }) => place)),
      arrayLiteral(events.map(({ limitRequest }) => limitRequest.cost)),
      arrayLiteral(events.map(({ limitRequest }) => limitRequest.credentialId)),
      arrayLiteral(events.map(({ limitRequest }) => limitRequest.requestId)),
    ),
  );
  const logged = rows.map(({ at_us, is_logged, revision, noted_us }) => ({
    atUs: at_us,
    isLogged: is_logged,
    accountRevision: revision,
    notedAtUs: noted_us,
  }));
  return { nowUs: (rows[0] as Row).now_us, logged };
}
