-- Makes a creation that is sent twice, even to two instances at once, create one key.
alter table api_keys
  add column creation_id uuid,
  add constraint api_keys_creation_unique unique (account_id, creation_id);

-- Keys that ended long ago are deleted, which must not take their successors along.
alter table api_keys
  drop constraint api_keys_predecessor_id_fkey,
  add constraint api_keys_predecessor_exists
    foreign key (predecessor_id) references api_keys (id) on delete set null;
