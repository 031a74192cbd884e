create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  public_id text not null,
  prefix text not null,
  name text,
  -- HMAC-SHA256 of the full text under the pepper of this version.
  hash bytea not null,
  pepper_version integer not null,
  scopes text[] not null,
  -- What makes "at most 10 active keys" a constraint: a key without a slot is never accepted.
  slot smallint,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_ip_hash bytea,
  predecessor_id uuid references api_keys (id) on delete cascade,
  constraint api_keys_public_id_unique unique (public_id),
  constraint api_keys_slot_unique unique (account_id, slot),
  constraint api_keys_predecessor_unique unique (predecessor_id),
  constraint api_keys_slot_range check (slot between 1 and 10),
  constraint api_keys_revoked_frees_slot check (revoked_at is null or slot is null),
  constraint api_keys_slotless_has_ended
    check (slot is not null or revoked_at is not null or expires_at is not null),
  constraint api_keys_scopes check (
    scopes = '{service.read}' or scopes = '{service.read,nutrition.write}'
  ),
  constraint api_keys_hash_length check (octet_length(hash) = 32),
  constraint api_keys_name_length check (char_length(name) <= 100)
);

create index api_keys_account on api_keys (account_id, id desc);
