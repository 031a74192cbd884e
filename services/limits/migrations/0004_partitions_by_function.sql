-- The service's role owns no table, so that it can neither change nor drop one. Partitions are all
-- that it makes and drops while it runs; these do it with their owner's rights, and nothing else.
create function add_usage_partition(day date) returns void
  language plpgsql security definer set search_path = limits, pg_temp as $$
declare
  partition text := 'usage_events_' || to_char(day, 'YYYYMMDD');
  midnight text := 'YYYY-MM-DD"T00:00:00Z"';
begin
  -- Made first and attached then: that waits for no one who reads or writes other days, which
  -- "create table … partition of" does.
  execute format('create table %I (like usage_events including constraints including indexes)', partition);
  execute format(
    'alter table usage_events attach partition %I for values from (%L) to (%L)',
    partition, to_char(day, midnight), to_char(day + 1, midnight)
  );
end
$$;

create function drop_usage_partition(day date) returns void
  language plpgsql security definer set search_path = limits, pg_temp as $$
begin
  execute format('drop table %I', 'usage_events_' || to_char(day, 'YYYYMMDD'));
end
$$;
