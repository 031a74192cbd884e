-- A day as compact JSON text: its FoodEntry, and its NutritionTotals, summed exactly. The only place that
-- says what they hold.
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

-- Kept, because making them took most of a read (docs/decisions/0050). Null in days last written before,
-- which reads make then. A migration that changes what they hold, or food_item_text, drops these columns,
-- adds them again, which takes no time and empties them, and resets keeping_progress.
alter table entries add column kept_document text, add column kept_totals text;

-- Whatever changes a day, also an instance of the version before, empties what is kept of it at once, and
-- the commit makes it anew. Both happen under the lock of the day's row, so that a day is never kept
-- without another's change.
create function forget_kept_entry() returns trigger language plpgsql as $$
begin
  new.kept_document := null;
  new.kept_totals := null;
  return new;
end
$$;

create trigger entries_forget_kept before update of date, timezone, created_at, updated_at, deleted_at on entries
  for each row execute function forget_kept_entry();

create function forget_kept_entry_of_item() returns trigger language plpgsql set search_path from current as $$
begin
  perform from entries where id in (old.entry_id, new.entry_id) for no key update;
  update entries set kept_document = null, kept_totals = null
  where id in (old.entry_id, new.entry_id) and kept_document is not null;
  return null;
end
$$;

create trigger items_forget_kept_entry after insert or update or delete on items
  for each row execute function forget_kept_entry_of_item();

create function keep_entry() returns trigger language plpgsql set search_path from current as $$
begin
  update entries set (kept_document, kept_totals) = (select document, totals from entry_texts(new.id))
  where id = new.id and deleted_at is null and kept_document is null;
  return null;
end
$$;

create constraint trigger entries_keep after insert or update on entries deferrable initially deferred
  for each row when (new.kept_document is null and new.deleted_at is null) execute function keep_entry();

-- In sessions that skip triggers, as a restored or replicated row, too.
alter table entries enable always trigger entries_forget_kept;
alter table items enable always trigger items_forget_kept_entry;
alter table entries enable always trigger entries_keep;

-- Days before this one, by id, may have been last written before they kept a document. A worker has their
-- documents made, newest first, and moves it.
create table keeping_progress (before_id uuid not null);
insert into keeping_progress values ('ffffffff-ffff-ffff-ffff-ffffffffffff');
