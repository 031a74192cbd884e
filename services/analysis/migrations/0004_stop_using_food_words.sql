-- Misspelt words of searches are corrected to those of the tables that ship with the service. The previous
-- version still writes to this table: drop it in a later release.
comment on table food_words is 'No longer used.';
