-- How many weights an account has, so that a bound on them costs no count.
create table weight_counts (
  account_id uuid primary key,
  weights int not null,
  constraint weight_counts_positive check (weights > 0)
);

-- Nobody adds or deletes a weight between the count and the triggers that keep it.
lock table weights in share row exclusive mode;
insert into weight_counts select account_id, count(*) from weights group by account_id;

-- The row of an account is locked until the transaction ends, so that two who add at once cannot
-- pass the bound together.
create function count_added_weights() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into weight_counts as c (account_id, weights)
  select account_id, count(*) from added group by account_id
  on conflict (account_id) do update set weights = c.weights + excluded.weights;
  if exists (
    select from weight_counts
    where account_id in (select account_id from added) and weights > 20000
  ) then
    raise exception 'An account has at most 20000 weights.'
      using errcode = 'check_violation', constraint = 'weights_per_account';
  end if;
  return null;
end
$$;

create function count_deleted_weights() returns trigger
  language plpgsql set search_path from current as $$
begin
  delete from weight_counts c
  using (select account_id, count(*) as weights from deleted group by account_id) d
  where c.account_id = d.account_id and c.weights <= d.weights;
  update weight_counts c set weights = c.weights - d.weights
  from (select account_id, count(*) as weights from deleted group by account_id) d
  where c.account_id = d.account_id;
  return null;
end
$$;

-- A weight that replaces another with its id is in neither table.
create trigger weights_added after insert on weights
  referencing new table as added for each statement execute function count_added_weights();
create trigger weights_deleted after delete on weights
  referencing old table as deleted for each statement execute function count_deleted_weights();
