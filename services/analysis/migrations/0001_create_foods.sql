-- Foods that no brand makes: some ten thousand. "words" is the name in lower case without marks,
-- "head" the part of it that says what the food is.
create table foods (
  reference text primary key,
  source text not null
    constraint foods_source_known check (source in ('reference', 'survey', 'foundation')),
  name text not null,
  words text not null,
  head text not null,
  -- Other names that its table gives, in the same form.
  alias_words text not null,
  calories float8 not null,
  protein float8,
  carbs float8,
  fat float8,
  sugar float8,
  fiber float8,
  sodium float8,
  portions jsonb not null,
  -- Of all that was imported, so that what is stored already is left alone.
  digest text not null,
  lexemes tsvector not null generated always as (to_tsvector('english', words)) stored,
  -- With those of the other names: what is searched.
  found_by tsvector not null
    generated always as (to_tsvector('english', words || ' ' || alias_words)) stored,
  head_lexemes text[] not null
    generated always as (tsvector_to_array(to_tsvector('english', head))) stored
);

-- Entries are not kept in a pending list, which every search would have to read.
create index foods_found_by on foods using gin (found_by) with (fastupdate = off);
create index foods_trigrams on foods using gin (words gin_trgm_ops) with (fastupdate = off);

-- The words that names are made of, for finding what a misspelt one means.
create table food_words (word text primary key);
create index food_words_trigrams on food_words using gin (word gin_trgm_ops);

-- Foods of brands: some million. A table of their own, so that a search that names no brand never
-- meets them. Each brand is one lexeme, such as 'brand:great value', beside those of the name.
create table branded_foods (
  reference text primary key,
  name text not null,
  brand text not null,
  brand_words text not null,
  gtin text,
  words text not null,
  calories float8 not null,
  protein float8,
  carbs float8,
  fat float8,
  sugar float8,
  fiber float8,
  sodium float8,
  portions jsonb not null,
  digest text not null,
  lexemes tsvector not null generated always as (
    to_tsvector('english', words) || array_to_tsvector(array['brand:' || brand_words])
  ) stored
);

create index branded_foods_lexemes on branded_foods using gin (lexemes);
create index branded_foods_gtin on branded_foods (gtin) where gtin is not null;

create table brands (words text primary key);
