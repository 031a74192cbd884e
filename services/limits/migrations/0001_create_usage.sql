-- One row per allowed decision. The key serves the counts; moments are strictly later per subject.
create table usage_events (
  subject text not null,
  at timestamptz not null,
  kind text not null
    constraint usage_events_kind_known check (kind in ('request', 'log', 'edit', 'merge', 'delete')),
  cost int not null constraint usage_events_cost_positive check (cost > 0),
  lines int not null constraint usage_events_lines_not_negative check (lines >= 0),
  journal_date date,
  credential_id text,
  request_id text not null,
  state text not null
    constraint usage_events_state_known check (state in ('committed', 'reserved', 'released')),
  constraint usage_events_pkey primary key (subject, at)
) partition by range (at);

-- What is known of a subject without reading the log. It may be deleted at any time; then the log is
-- counted again. Rows are rewritten all the time, so pages keep room for new versions.
create table limit_state (
  subject text constraint limit_state_pkey primary key,
  account_id uuid not null,
  last_at timestamptz not null,
  counted_at timestamptz not null,
  counters json not null
) with (fillfactor = 50);

create index limit_state_account on limit_state (account_id);

create table reservations (
  id uuid constraint reservations_pkey primary key,
  subject text not null,
  at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'reserved'
    constraint reservations_state_known check (state in ('reserved', 'committed', 'released')),
  -- While in the future, one instance's janitor is asking the journal.
  claimed_until timestamptz,
  constraint reservations_event unique (subject, at)
);

create index reservations_open on reservations (expires_at) where state = 'reserved';
create index reservations_expiry on reservations (expires_at);

create table refusal_counts (
  policy text not null,
  hour timestamptz not null,
  refusals bigint not null constraint refusal_counts_positive check (refusals > 0),
  constraint refusal_counts_pkey primary key (hour, policy)
);
