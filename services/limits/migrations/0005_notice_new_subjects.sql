-- On the row of an account: raised whenever the rows of its subjects change, so that whoever knows
-- them need not look through them again.
alter table subjects add column account_revision int not null default 0;
