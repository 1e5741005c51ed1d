-- while the service runs: finds closed pages by words, whatever their number. Open pages are few and are not in it, so that
-- raising a page costs nothing more. Until it is built, a search for a rare word reads all pages.
create index concurrently if not exists pages_words on pages
  using gin (to_tsvector('simple', translate(title || ' ' || text, './\:@_=&?#%+~-', '              '))) with (fastupdate = off)
  where state in ('resolved', 'expired');
