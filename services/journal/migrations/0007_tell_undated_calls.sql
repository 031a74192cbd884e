-- Whether a call that is claimed gave no date: repeated after midnight it is still the same call.
alter table claims add column undated boolean not null default false;
