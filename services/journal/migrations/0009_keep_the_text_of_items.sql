-- An item as reads answer it: a FoodItem as compact JSON text, null for a deleted item. The only place
-- that says what a FoodItem holds. Its row is all it depends on, so what is kept cannot become wrong.
create function food_item_text(i items) returns text stable language sql as $$
  select '{"id":"' || i.id
    || '","description":' || to_json(i.description)::text
    || ',"detailed_description":' || coalesce(to_json(i.detailed_description)::text, 'null')
    || ',"calories":' || trim_scale(i.calories)::text
    || ',"protein":' || coalesce(trim_scale(i.protein)::text, 'null')
    || ',"carbs":' || coalesce(trim_scale(i.carbs)::text, 'null')
    || ',"fat":' || coalesce(trim_scale(i.fat)::text, 'null')
    || ',"sugar":' || coalesce(trim_scale(i.sugar)::text, 'null')
    || ',"fiber":' || coalesce(trim_scale(i.fiber)::text, 'null')
    || ',"sodium":' || coalesce(trim_scale(i.sodium)::text, 'null')
    || ',"is_water_entry":' || i.is_water_entry::text
    || ',"water_milliliters":' || trim_scale(i.water_milliliters)::text
    || ',"line_index":' || i.line_index::text
    || ',"ai_comment":' || coalesce(to_json(i.ai_comment)::text, 'null')
    || ',"confidence_score":' || coalesce(trim_scale(i.confidence_score)::text, 'null')
    || ',"updated_at":"' || to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '"}'
$$;

-- Kept, because making it took more than half of a read (docs/decisions/0039). Null in rows that were
-- last written before: reads make it then. A migration that changes what a FoodItem holds drops this
-- column and adds it again, which takes no time and empties it.
alter table items add column kept_text text;

create function keep_item_text() returns trigger language plpgsql set search_path from current as $$
begin
  new.kept_text := food_item_text(new);
  return new;
end
$$;

create trigger items_keep_text before insert or update on items
  for each row execute function keep_item_text();
-- In sessions that skip triggers, as a restored or replicated row, too.
alter table items enable always trigger items_keep_text;
