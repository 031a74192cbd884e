-- Finds subjects that nobody has used for long, to delete them. A subject's moment changes once a day.
create index subjects_by_last_use on subjects (last_at);
