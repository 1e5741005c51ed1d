-- A holiday calendar can follow the public holidays of a country, or of a part of it, instead of an address. Nodes of older
-- releases find no address in such a calendar and leave its days as they are. What accepts the codes checks them.
alter table holiday_calendars
  -- ISO 3166-1, such as DE.
  add column country text,
  -- Part of the country, such as BY, or a part of that, such as BY-A; null: what the whole country has in common.
  add column region text;
