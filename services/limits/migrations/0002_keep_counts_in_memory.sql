-- Instances keep what they know of a subject in memory and read only what was logged since. A version
-- that trusted counts stored here would miss those events, so what it read is gone.
alter table limit_state rename to subjects;
alter table subjects rename constraint limit_state_pkey to subjects_pkey;
alter index limit_state_account rename to subjects_account;
alter table subjects drop column counted_at, drop column counters;
alter table subjects reset (fillfactor);
