create table entries (
  id uuid primary key,
  account_id uuid not null,
  date date not null,
  -- The person's timezone when the entry was first written.
  timezone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create unique index entries_one_live_a_day on entries (account_id, date) where deleted_at is null;

create table items (
  id uuid primary key,
  entry_id uuid not null references entries,
  account_id uuid not null,
  -- Position among the live lines of the entry, dense from 0; null once deleted.
  line_index int,
  description text not null,
  detailed_description text,
  calories numeric(9, 2) not null,
  protein numeric(9, 2),
  carbs numeric(9, 2),
  fat numeric(9, 2),
  sugar numeric(9, 2),
  fiber numeric(9, 2),
  sodium numeric(9, 2),
  is_water_entry boolean not null,
  water_milliliters numeric(9, 2) not null,
  confidence_score numeric(3, 2),
  ai_comment text,
  provenance text not null,
  -- Whether the person corrected it: such items answer later lines with the same words.
  corrected boolean not null default false,
  -- Grows with each change, so that an edit notices another.
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Deferred, because reindexing passes through states in which two lines share a position.
  constraint items_one_a_line unique (entry_id, line_index) deferrable initially deferred,
  constraint items_live_have_a_line check ((deleted_at is null) = (line_index is not null)),
  constraint items_line_index_not_negative check (line_index >= 0),
  constraint items_figures_not_negative check (
    least(calories, protein, carbs, fat, sugar, fiber, sodium, water_milliliters) >= 0
  ),
  constraint items_confidence_in_range check (confidence_score between 0 and 1),
  constraint items_provenance_known check (
    provenance in ('unknown', 'food_table', 'model', 'user_memory', 'stated')
  )
);

create index items_corrected on items (account_id, updated_at desc)
  where corrected and deleted_at is null;
