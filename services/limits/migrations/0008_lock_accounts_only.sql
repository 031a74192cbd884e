-- Every version in use decides under the lock of the account, so the lock of the credential, which was for
-- versions before that, is gone from log_known_requests. Nothing else in it changes.
create or replace function log_known_requests(
  accounts uuid[], subjects text[], revisions int[], first_us bigint[], window_seconds int[],
  known_places int[], known_subjects text[], known_last_us bigint[],
  event_places int[], costs int[], credential_ids text[], request_ids text[]
) returns table (now_us bigint, at_us bigint, is_logged boolean, revision int, noted_us bigint)
  volatile language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  now timestamptz;
  known_since constant timestamptz :=
    'epoch'::timestamptz + (select min(us) from unnest(known_last_us) us) * interval '1 microsecond';
  longest constant interval := (select max(s) from unnest(window_seconds) s) * interval '1 second';
begin
  -- Sorted like those of other batches, so that no two wait for each other.
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(subject, 7301) as key
    from (select 'account:' || id as subject from unnest(accounts) id) locked
    order by key offset 0
  ) as sorted;
  now := clock_timestamp();
  return query
  with asked as materialized (
    select a.place, a.account, a.subject, a.revision as remembered, account.account_revision as revision,
      own.last_at as noted_at,
      greatest(now, 'epoch'::timestamptz + a.first_us * interval '1 microsecond') as at,
      case when a.revision is null then not exists (
        select from subjects s cross join lateral (
          select from usage_events e
          where (e.subject, e.at) >= (s.subject, now - a.seconds * interval '1 second')
            and e.subject = s.subject
            and e.at >= now - longest and e.at < now + interval '1 day'
          limit 1
        ) event
        where s.account_id = a.account and not starts_with(s.subject, 'account:')
          and s.last_at >= now - a.seconds * interval '1 second' - interval '2 days'
      ) else a.revision = account.account_revision and not exists (
        select from unnest(known_places, known_subjects, known_last_us) k (place, subject, last_us)
        cross join lateral (
          select from usage_events e
          where (e.subject, e.at) >
              (k.subject, 'epoch'::timestamptz + k.last_us * interval '1 microsecond')
            and e.subject = k.subject
            and e.at >= known_since and e.at < now + interval '1 day'
          limit 1
        ) event
        where k.place = a.place
      ) end as is_logged
    from (
      select * from unnest(accounts, subjects, revisions, first_us, window_seconds)
        with ordinality a (account, subject, revision, first_us, seconds, place)
      offset 0
    ) a
    left join lateral (
      select account_revision from subjects s where s.subject = 'account:' || a.account offset 0
    ) account on true
    left join lateral (
      select last_at from subjects s where s.subject = a.subject offset 0
    ) own on true
  ), inserted as (
    insert into usage_events (subject, at, kind, cost, lines, credential_id, request_id, state)
    select a.subject, a.at + (e.number - min(e.number) over (partition by a.place))
        * interval '1 microsecond', 'request', e.cost, 0, e.credential_id, e.request_id, 'committed'
    from unnest(event_places, costs, credential_ids, request_ids)
      with ordinality e (place, cost, credential_id, request_id, number)
    join asked a on a.place = e.place
    where a.is_logged
  ), due as materialized (
    select * from asked a
    where a.is_logged and (a.revision is null or a.noted_at is null or a.noted_at <= a.at - interval '1 day')
  ), noted as (
    insert into subjects as s (subject, account_id, last_at)
    select d.subject, d.account, d.at from due d
    union all
    select 'account:' || d.account, d.account, d.at from due d
    on conflict (subject) do update set account_id = excluded.account_id, last_at = excluded.last_at,
      account_revision = s.account_revision + 1
    returning s.subject, s.account_revision
  )
  select (extract(epoch from now) * 1000000)::bigint,
    (extract(epoch from a.at) * 1000000)::bigint, a.is_logged,
    coalesce(n.account_revision, a.revision),
    (extract(epoch from case when n.subject is null then a.noted_at else a.at end) * 1000000)::bigint
  from asked a left join noted n on n.subject = 'account:' || a.account
  order by a.place;
end
$$;
