-- Searches correct misspelt words one by one, with food_words, and no longer compare whole names.
drop index foods_trigrams;
