-- Who works on a call, and what came of it, so that a retry has one effect.
create table claims (
  account_id uuid not null,
  -- SHA-256 over the call's arguments, or over its idempotency key when it has one.
  hash bytea not null,
  -- SHA-256 over the arguments of a call with an idempotency key; null for other calls.
  arguments_hash bytea,
  state text not null,
  -- Grows with each holder. Only the holder of the current one may complete the claim.
  fence bigint not null,
  -- While working, when another may take the work over; when done, when the record ends.
  expires_at timestamptz not null,
  -- The result without its "duplicate" member.
  result text,
  -- The items it made or changed: a later change of any ends the record.
  item_ids uuid[] not null default '{}',
  -- The day on which the call chose its items by words: the day's next change ends the record.
  query_date date,
  constraint claims_pkey primary key (account_id, hash),
  constraint claims_state_known check (state in ('working', 'done')),
  constraint claims_done_has_result check ((state = 'done') = (result is not null))
);

create sequence claim_fences;

-- The audit record.
create table mutations (
  id uuid primary key,
  account_id uuid not null,
  tool text not null,
  origin text not null,
  -- Null for operators.
  credential_kind text,
  credential_id text,
  entry_id uuid not null,
  date date not null,
  item_ids uuid[] not null,
  -- Arrays of FoodItem.
  before json not null,
  after json not null,
  -- Null for seeds and duplicates, which reserve nothing.
  reservation_id uuid,
  duplicate boolean not null,
  request_id text not null,
  created_at timestamptz not null,
  constraint mutations_reservation_used_once unique (reservation_id),
  constraint mutations_origin_known check (origin in ('tool', 'seed'))
);

create index mutations_newest_first on mutations (account_id, id desc);

-- What became of each reservation. The primary key lets only one side of a race win.
create table settled_reservations (
  reservation_id uuid primary key,
  outcome text not null,
  settled_at timestamptz not null default now(),
  constraint settled_reservations_outcome_known check (outcome in ('used', 'void'))
);

-- What the limits service has yet to be told.
create table outbox (
  reservation_id uuid primary key,
  action text not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint outbox_action_known check (action in ('commit', 'release'))
);

create index outbox_due on outbox (next_attempt_at);
