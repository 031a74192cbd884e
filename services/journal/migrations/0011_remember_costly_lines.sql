-- Lines that took too long to read, so that no instance reads them again for a while.
create table costly_lines (
  account_id uuid not null,
  -- HMAC-SHA-256 over the account, the line and what was said about it.
  hash bytea not null,
  expires_at timestamptz not null,
  constraint costly_lines_pkey primary key (account_id, hash)
);

create index costly_lines_by_end on costly_lines (expires_at);

create trigger costly_lines_not_erased before insert on costly_lines
  for each row execute function refuse_row_of_erased();
