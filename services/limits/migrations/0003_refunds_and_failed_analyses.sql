-- What instances remember of a subject is wrong when an event that they know as committed stops
-- counting, or one that was released counts again: whoever does that raises the revision.
alter table subjects add column revision int not null default 0;

-- A released reservation whose text could not be analysed: no longer a mutation, but counted as a
-- failed analysis.
alter table usage_events add column analysis_failed boolean not null default false;
