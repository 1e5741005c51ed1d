-- while the service runs: PostgreSQL takes <db-1> for a tag of XML and leaves it out. The earlier index finds no page by such words.
create index concurrently if not exists pages_all_words on pages
  using gin (to_tsvector('simple', translate(title || ' ' || text, './\:@_=&?#%+~-<>', '                '))) with (fastupdate = off)
  where state in ('resolved', 'expired');
drop index concurrently if exists pages_words;
