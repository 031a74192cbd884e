-- Accounts whose people asked to have them erased. The table does not refer to accounts: its row is
-- what lets an erasure go on after the account is gone and something else still has to go.
create table erasures (
  account_id uuid primary key,
  -- When it begins; until then, the person can cancel it.
  erase_at timestamptz not null,
  -- When it began.
  begun_at timestamptz,
  -- The person at the identity provider, kept from the beginning on.
  subject text,
  -- When it may be taken: while it is leased, when the lease ends.
  due_at timestamptz not null
);

create index erasures_due on erasures (due_at);
