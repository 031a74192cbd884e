-- Parameters, rules and result are unchanged. Each step is now a short statement of its own: preparing one
-- statement for everything took PostgreSQL longer than running it, above all for a single account.
create or replace function log_known_requests(
  accounts uuid[], subjects text[], revisions int[], first_us bigint[], window_seconds int[],
  known_places int[], known_subjects text[], known_last_us bigint[],
  event_places int[], costs int[], credential_ids text[], request_ids text[]
) returns table (now_us bigint, at_us bigint, is_logged boolean, revision int, noted_us bigint)
  volatile language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  epoch constant timestamptz := 'epoch';
  microsecond constant interval := '1 microsecond';
  now timestamptz;
  since timestamptz;
  next_at timestamptz;
  noted_at timestamptz;
  account_subject text;
  -- Current positions in known_places and event_places, which are sorted.
  known int := 1;
  event int := 1;
  -- Time of each event; null for an event that is not logged.
  event_moments timestamptz[] := '{}';
begin
  -- Sorted like those of other batches, so that no two wait for each other.
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended('account:' || id, 7301) as key from unnest(accounts) id
    order by key offset 0
  ) as sorted;
  now := clock_timestamp();
  now_us := extract(epoch from now) * 1000000;
  for place in 1 .. cardinality(accounts) loop
    account_subject := 'account:' || accounts[place];
    select account.account_revision, own.last_at into revision, noted_at
    from subjects account left join subjects own on own.subject = subjects[place]
    where account.subject = account_subject;
    -- The bounds on "at" choose the partitions.
    if revisions[place] is null then
      since := now - window_seconds[place] * interval '1 second';
      is_logged := not exists (
        select from subjects s cross join lateral (
          select from usage_events e
          where e.subject = s.subject and e.at >= since and e.at < now + interval '1 day'
          limit 1
        ) event
        where s.account_id = accounts[place] and not starts_with(s.subject, 'account:')
          and s.last_at >= since - interval '2 days'
      );
    else
      is_logged := revision is not distinct from revisions[place];
    end if;
    while known_places[known] = place loop
      since := epoch + known_last_us[known] * microsecond;
      is_logged := is_logged and not exists (
        select from usage_events e
        where e.subject = known_subjects[known] and e.at > since and e.at < now + interval '1 day'
      );
      known := known + 1;
    end loop;
    next_at := greatest(now, epoch + first_us[place] * microsecond);
    at_us := extract(epoch from next_at) * 1000000;
    if is_logged and (revision is null or noted_at is null or noted_at <= next_at - interval '1 day') then
      noted_at := next_at;
      with noted as (
        insert into subjects as s (subject, account_id, last_at)
        values (subjects[place], accounts[place], noted_at), (account_subject, accounts[place], noted_at)
        on conflict (subject) do update set account_id = excluded.account_id, last_at = excluded.last_at,
          account_revision = s.account_revision + 1
        returning s.subject, s.account_revision
      )
      select account_revision into revision from noted where subject = account_subject;
    end if;
    noted_us := extract(epoch from noted_at) * 1000000;
    while event_places[event] = place loop
      event_moments := event_moments || case when is_logged then next_at end;
      next_at := next_at + microsecond;
      event := event + 1;
    end loop;
    return next;
  end loop;
  insert into usage_events (subject, at, kind, cost, lines, credential_id, request_id, state)
  select subjects[place], moment, 'request', cost, 0, credential_id, request_id, 'committed'
  from unnest(event_places, event_moments, costs, credential_ids, request_ids)
    e (place, moment, cost, credential_id, request_id)
  where moment is not null;
end
$$;
