-- The first report that a key was found in public, for the operator and its owner.
alter table api_keys
  add column leak_reported_at timestamptz,
  add column leak_location text,
  add constraint api_keys_leak_location_length check (char_length(leak_location) <= 500),
  add constraint api_keys_leak_reported
    check (leak_reported_at is not null or leak_location is null),
  add constraint api_keys_leaked_is_revoked
    check (leak_reported_at is null or revoked_at is not null);
