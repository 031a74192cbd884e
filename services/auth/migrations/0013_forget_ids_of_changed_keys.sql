-- Changed keys outlive their accounts, because the texts do, and an erasure must leave no id of a key. So a
-- row holds only the random end of the id; keys that end alike are looked up as well.
alter table changed_keys add column key_tail bytea;

update changed_keys set
  key_tail = substring(uuid_send(key_id) from 11),
  text_expires_at = coalesce(text_expires_at, 'infinity');

alter table changed_keys
  drop column key_id,
  add primary key (key_tail),
  add constraint changed_keys_key_tail_length check (octet_length(key_tail) = 6),
  alter column text_expires_at set not null;

create index changed_keys_xid on changed_keys (xid, key_tail);

-- Before its first change, a key expires when its text says, and afterwards never later.
create or replace function note_changed_key() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into changed_keys as known (key_tail, text_expires_at)
  select substring(uuid_send(old.id) from 11), coalesce(old.expires_at, 'infinity')
  where old.expires_at is null or old.expires_at > now() - interval '1 day'
  on conflict (key_tail) do update set text_expires_at = excluded.text_expires_at
  where known.text_expires_at < excluded.text_expires_at;
  return null;
end
$$;
