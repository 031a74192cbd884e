create table accounts (
  id uuid primary key,
  -- Null when the provider gave none that is verified and free.
  email text,
  name text,
  avatar_url text,
  has_premium boolean not null default false,
  is_beta_tester boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_email_length check (char_length(email) <= 254),
  constraint accounts_name_length check (char_length(name) <= 200),
  constraint accounts_avatar_url_length check (char_length(avatar_url) <= 2048)
);

create unique index accounts_email_unique on accounts (lower(email));

-- Who an account is at the identity provider. One identity an account: what binds an address to a
-- person is the first verified sign-in, and nobody else can follow.
create table identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint identities_pkey primary key (issuer, subject),
  constraint identities_account_unique unique (account_id)
);
