-- Sessions of the pages. A session is live as long as its row is there, so ending one deletes it, and
-- erasing the account ends them all.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- When the person proved who they are. Renewals of the provider's token leave it alone.
  signed_in_at timestamptz not null,
  -- To the day. A session that is not seen for longer than its cookie lives is deleted.
  last_seen_at timestamptz not null
);

create index sessions_account on sessions (account_id, signed_in_at);
create index sessions_last_seen on sessions (last_seen_at);
