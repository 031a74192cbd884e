-- A day as compact JSON text: its FoodEntry, which only this function defines, and its NutritionTotals, summed
-- exactly.
create function entry_texts(entry_id uuid, out document text, out totals text) stable language sql as $$
  select '{"id":"' || e.id
    || '","date":' || to_json(e.date)::text
    || ',"food_text":' || coalesce(to_json(day.food_text)::text, 'null')
    || ',"timezone":' || to_json(e.timezone)::text
    || ',"totals":' || day.totals
    || ',"items":[' || coalesce(day.items, '')
    || '],"created_at":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","updated_at":"' || to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '"}',
    day.totals
  from entries e
  cross join lateral (
    select string_agg(i.description, e'\n' order by i.line_index) as food_text,
      string_agg(coalesce(i.kept_text, food_item_text(i)), ',' order by i.line_index) as items,
      '{"calories":' || trim_scale(coalesce(sum(i.calories), 0))::text
        || ',"protein":' || trim_scale(coalesce(sum(i.protein), 0))::text
        || ',"carbs":' || trim_scale(coalesce(sum(i.carbs), 0))::text
        || ',"fat":' || trim_scale(coalesce(sum(i.fat), 0))::text
        || ',"sugar":' || trim_scale(coalesce(sum(i.sugar), 0))::text
        || ',"fiber":' || trim_scale(coalesce(sum(i.fiber), 0))::text
        || ',"sodium":' || trim_scale(coalesce(sum(i.sodium), 0))::text
        || ',"water_milliliters":' || trim_scale(coalesce(sum(i.water_milliliters), 0))::text
        || '}' as totals
    from items i where i.entry_id = e.id and i.line_index is not null
  ) day
  where e.id = entry_id
$$;

-- Stored, because building them took most of a read (docs/decisions/0050). Null for a day last written before
-- this migration: reads then build them. A migration that changes entry_texts or food_item_text drops these
-- columns and adds them again, which is instant and empties them, and restarts the backfill below.
alter table entries add column kept_document text, add column kept_totals text;

-- Any change of a day, also by an instance of the previous version, clears its texts at once, and the commit
-- fills them again. Both hold the lock of the day's row, so the texts never miss a concurrent change.
create function clear_kept_document() returns trigger language plpgsql as $$
begin
  new.kept_document := null;
  new.kept_totals := null;
  return new;
end
$$;

create trigger entries_clear_kept_document before update of date, timezone, created_at, updated_at, deleted_at on entries
  for each row execute function clear_kept_document();

create function clear_kept_document_of_item() returns trigger language plpgsql set search_path from current as $$
begin
  perform from entries where id in (old.entry_id, new.entry_id) for no key update;
  update entries set kept_document = null, kept_totals = null
  where id in (old.entry_id, new.entry_id) and kept_document is not null;
  return null;
end
$$;

create trigger items_clear_kept_document after insert or update or delete on items
  for each row execute function clear_kept_document_of_item();

create function fill_kept_document() returns trigger language plpgsql set search_path from current as $$
begin
  update entries set (kept_document, kept_totals) = (select document, totals from entry_texts(new.id))
  where id = new.id and deleted_at is null and kept_document is null;
  return null;
end
$$;

create constraint trigger entries_fill_kept_document after insert or update on entries deferrable initially deferred
  for each row when (new.kept_document is null and new.deleted_at is null) execute function fill_kept_document();

-- Also in sessions that skip ordinary triggers, such as a restore or replication.
alter table entries enable always trigger entries_clear_kept_document;
alter table items enable always trigger items_clear_kept_document;
alter table entries enable always trigger entries_fill_kept_document;

-- Position of the backfill: days with lower ids may still lack their document. Deleted when none do.
create table document_backfill (before_id uuid not null);
insert into document_backfill values ('ffffffff-ffff-ffff-ffff-ffffffffffff');
