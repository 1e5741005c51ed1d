-- While a schedule is disabled, its pages notify nobody, so its shifts are no time on call. It keeps when that was. Of schedules
-- that are disabled already, this is not known, so their time counts until now. A trigger notes it also for older releases.
alter table schedules
  add column disabled_since timestamptz not null default now(),
  add column disabled_times tstzmultirange not null default '{}';

create function note_disabled_times() returns trigger language plpgsql as $$
begin
  if not new.enabled then
    new.disabled_since := new.updated_at;
  else
    new.disabled_times := old.disabled_times
      + tstzmultirange(tstzrange(least(old.disabled_since, new.updated_at), new.updated_at));
  end if;
  return new;
end $$;
create trigger schedules_disabled_at_first before insert on schedules for each row
  when (not new.enabled) execute function note_disabled_times();
create trigger schedules_enabled_or_disabled before update of enabled on schedules for each row
  when (old.enabled <> new.enabled) execute function note_disabled_times();
