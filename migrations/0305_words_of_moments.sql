-- Finding out the words of a moment took most of the database's time for recording it. The service does so now and writes them
-- (src/moments/search.ts). Rows that are written without them, as older releases do, get them from a trigger.
alter table moments alter column search drop expression, alter column search drop not null;

create function words_of_moment() returns trigger language plpgsql as $$
begin
  new.search := array_to_tsvector(array['=type ' || new.type, '=priority ' || new.priority, '=source ' || lower(left(coalesce(new.source, ''), 400))])
    || to_tsvector('simple', translate(
      new.name || ' ' || coalesce(new.source, '') || ' ' || left(coalesce(new.description, ''), 1000),
      './\:@_=&?#%+~-', '              '));
  return new;
end $$;
create trigger moments_inserted_without_words before insert on moments for each row
  when (new.search is null) execute function words_of_moment();
create trigger moments_changed_without_words before update of type, priority, source, name, description on moments for each row
  when ((new.type, new.priority, new.source, new.name, new.description)
      is distinct from (old.type, old.priority, old.source, old.name, old.description)
    and new.search is not distinct from old.search)
  execute function words_of_moment();
