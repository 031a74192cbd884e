-- The authorization request that created or revived the grant, so that a repeated decision on it changes
-- nothing. Null when the client had a live grant before.
alter table grants
  add column authorization_id text,
  add constraint grants_authorization_id_length
    check (char_length(authorization_id) between 1 and 128);
