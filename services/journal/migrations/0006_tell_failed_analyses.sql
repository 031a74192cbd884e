-- A reservation that is released after a failed analysis says so. The version before, which may run
-- beside this one for a while, releases it like any other.
alter table outbox
  drop constraint outbox_action_known,
  add constraint outbox_action_known check (action in ('commit', 'release', 'release_failed'));
