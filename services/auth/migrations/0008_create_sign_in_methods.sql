-- The ways in which people have signed in to an account.
create table sign_in_methods (
  account_id uuid not null references accounts (id) on delete cascade,
  method text not null,
  first_seen_at timestamptz not null,
  -- When the person said that it was them; of an account's first ways, when they were first seen.
  confirmed_at timestamptz,
  constraint sign_in_methods_pkey primary key (account_id, method),
  constraint sign_in_methods_method
    check (method in ('password', 'third_party', 'message', 'passkey', 'other'))
);
