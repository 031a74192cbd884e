-- Revoked grants that are yet to be deleted at the identity provider.
create table upstream_deletions (
  id uuid primary key,
  account_id uuid not null,
  client_id text not null,
  -- What the deletion is done with, sealed by the pages. Without it, it waits until the person signs
  -- in.
  sealed_session bytea,
  -- When it may be taken: while it is leased, when the lease ends.
  due_at timestamptz not null,
  -- Who works on it, if anybody does.
  lease_id uuid,
  attempts integer not null default 0,
  created_at timestamptz not null,
  constraint upstream_deletions_grant_unique unique (account_id, client_id),
  constraint upstream_deletions_grant_exists
    foreign key (account_id, client_id) references grants (account_id, client_id) on delete cascade,
  constraint upstream_deletions_sealed_session_length
    check (octet_length(sealed_session) between 1 and 8192)
);

create index upstream_deletions_due on upstream_deletions (due_at) where sealed_session is not null;
