-- What a person allowed an OAuth client, one row for each pair.
create table grants (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  scopes text[] not null,
  granted_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint grants_client_unique unique (account_id, client_id),
  constraint grants_scopes check (
    scopes = '{service.read}' or scopes = '{service.read,nutrition.write}'
  ),
  constraint grants_client_id_length check (char_length(client_id) between 1 and 200),
  constraint grants_client_name_length check (char_length(client_name) <= 200),
  constraint grants_redirect_host_length check (char_length(redirect_host) <= 255)
);
