-- What names an imported item where it comes from, so that a second import skips it.
alter table items
  add column import_source text,
  add column external_id text,
  add constraint items_import_named_whole check ((import_source is null) = (external_id is null)),
  drop constraint items_provenance_known,
  add constraint items_provenance_known check (
    provenance in ('unknown', 'food_table', 'model', 'user_memory', 'stated', 'imported')
  );

-- Deleted items too: what a person deleted after an import stays deleted.
create unique index items_imported_once on items (account_id, import_source, external_id)
  where external_id is not null;

-- A person's corrections with the words of a line, however many others there are.
create index items_corrected_line on items (account_id, lower(description), updated_at desc)
  where corrected and deleted_at is null;

alter table mutations
  drop constraint mutations_origin_known,
  add constraint mutations_origin_known check (origin in ('tool', 'seed', 'import'));

create index entries_of_account on entries (account_id, id);

-- What is cleaned up by age.
create index claims_by_end on claims (expires_at);
create index settled_reservations_by_age on settled_reservations (settled_at);

-- Accounts whose writes are refused, for as long as one may still be under way. A hash, so that it
-- tells of nobody whose id is not known already.
create table erased_accounts (
  account_hash bytea primary key,
  erased_at timestamptz not null default now()
);

-- Fails for an erased account. Until the transaction ends, an erasure waits for it; while one
-- begins, it waits for that. Volatile, so that the look-up sees what was committed by then.
create function refuse_erased(account uuid) returns void
  volatile language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('account ' || account, 0));
  if exists (select from erased_accounts where account_hash = sha256(uuid_send(account))) then
    raise exception 'The account is erased.'
      using errcode = 'check_violation', constraint = 'account_not_erased';
  end if;
end
$$;

create function refuse_row_of_erased() returns trigger
  language plpgsql set search_path from current as $$
begin
  perform refuse_erased(new.account_id);
  return new;
end
$$;

-- Items come with their entry, in its transaction.
create trigger settings_not_erased before insert on settings
  for each row execute function refuse_row_of_erased();
create trigger weights_not_erased before insert on weights
  for each row execute function refuse_row_of_erased();
create trigger entries_not_erased before insert on entries
  for each row execute function refuse_row_of_erased();
create trigger claims_not_erased before insert on claims
  for each row execute function refuse_row_of_erased();
create trigger mutations_not_erased before insert on mutations
  for each row execute function refuse_row_of_erased();
