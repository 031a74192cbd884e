-- Version of the secret that signed the key's text; null for a key that can only be looked up.
alter table api_keys
  add column signing_version smallint,
  add constraint api_keys_signing_version_range check (signing_version between 1 and 255);

-- Signed keys that are no longer what their texts say: revoked, ending earlier, or gone. Gateways accept
-- any other signed key without asking. A trigger writes the rows, so that no statement can be forgotten.
create table changed_keys (
  key_id uuid primary key,
  -- Until then, the text alone would be believed; null for ever.
  text_expires_at timestamptz,
  -- The transaction. Unlike a time or a number from a sequence, it tells a reader what may have been
  -- uncommitted when it read last.
  xid xid8 not null default pg_current_xact_id()
);

create index changed_keys_xid on changed_keys (xid, key_id);
create index changed_keys_text_expires_at on changed_keys (text_expires_at);

-- Before its first change, a key expires when its text says. Of later changes there is nothing to add.
create function note_changed_key() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into changed_keys (key_id, text_expires_at)
  select old.id, old.expires_at
  where old.expires_at is null or old.expires_at > now() - interval '1 day'
  on conflict do nothing;
  return null;
end
$$;

create trigger api_keys_changed after update on api_keys for each row
  when (
    old.signing_version is not null
    and (old.account_id, old.hash, old.scopes, old.slot, old.expires_at, old.revoked_at)
      is distinct from (new.account_id, new.hash, new.scopes, new.slot, new.expires_at, new.revoked_at)
  )
  execute function note_changed_key();

create trigger api_keys_deleted after delete on api_keys for each row
  when (old.signing_version is not null)
  execute function note_changed_key();
