-- What a page source said in the newest trigger of a page besides its title: {"severity", "source", "labels"}. Silences that are
-- made from the page can match it. Null: no page source raised the page, or an older release stored it.
alter table pages add column facts jsonb;
