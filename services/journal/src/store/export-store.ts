import type { Queryable } from "@nutrition/postgres/database";

import type { ExportCursor, ExportSection } from "../domain/export-cursor.ts";
import { CREATED_AND_UPDATED, ENTRY, RECORDED_AT, jsonObject, utc } from "./documents.ts";
import { getSettings } from "./settings-store.ts";

/** One line of an export. */
export interface ExportRow {
  /** `{"type": …, …}` as text. */
  json: string;
  /** Sort key of the section's rows. */
  key: string[];
}

interface Page {
  after: readonly string[];
  limit: number;
}

const READERS: Record<
  ExportSection,
  (db: Queryable, accountId: string, page: Page) => Promise<ExportRow[]>
> = {
  settings: exportSettings,
  entry: exportEntries,
  weight: exportWeights,
  mutation: exportMutations,
};

/** Reads up to `limit` lines of the cursor's section, from its position on. */
export function exportRows(
  db: Queryable,
  accountId: string,
  { section, after, limit }: ExportCursor & { limit: number },
): Promise<ExportRow[]> {
  return READERS[section](db, accountId, { after, limit });
}

async function exportSettings(db: Queryable, accountId: string): Promise<ExportRow[]> {
  const { json, units } = await getSettings(db, accountId);
  return [
    {
      json: `{"type":"settings","settings":${json},"display_units":${JSON.stringify(units)}}`,
      key: [],
    },
  ];
}

function exportEntries(db: Queryable, accountId: string, page: Page): Promise<ExportRow[]> {
  const [date = null] = page.after;
  return db.query<ExportRow>({
    text: `
    select ${jsonObject({ type: `'"entry"'`, entry: ENTRY })} as json, array[e.date::text] as key
    from entries e
    where e.account_id = $1::uuid and e.deleted_at is null
      and e.date > coalesce($2::date, '-infinity')
    order by e.date limit $3::int`,
    values: [accountId, date, page.limit],
  });
}

function exportWeights(db: Queryable, accountId: string, page: Page): Promise<ExportRow[]> {
  const [recordedAt = null, id = null] = page.after;
  return db.query<ExportRow>({
    text: `
    select json_build_object('type', 'weight', 'weight', row_to_json(w))::text as json,
      array[w.recorded_at, w.id::text] as key
    from (
      select id, trim_scale(weight_kg) as weight_kg, ${RECORDED_AT}, recorded_date, source, notes,
        ${CREATED_AND_UPDATED}
      from weights
      where account_id = $1::uuid
        and ($2::timestamptz is null or (weights.recorded_at, weights.id) > ($2, $3::uuid))
      order by weights.recorded_at, weights.id limit $4::int
    ) w`,
    values: [accountId, recordedAt, id, page.limit],
  });
}

function exportMutations(db: Queryable, accountId: string, page: Page): Promise<ExportRow[]> {
  const [id = null] = page.after;
  return db.query<ExportRow>({
    text: `
    select json_build_object('type', 'mutation', 'mutation', json_build_object(
        'id', id, 'tool', tool, 'origin', origin, 'credential_kind', credential_kind,
        'credential_id', credential_id, 'entry_id', entry_id, 'date', date, 'item_ids', item_ids,
        'before', before, 'after', after, 'reservation_id', reservation_id,
        'duplicate', duplicate, 'request_id', request_id, 'created_at', ${utc("created_at")}
      ))::text as json,
      array[id::text] as key
    from mutations
    where account_id = $1::uuid
      and id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit $3::int`,
    values: [accountId, id, page.limit],
  });
}
