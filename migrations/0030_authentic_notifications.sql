-- Calls whose signature was wrong are kept to be seen, and must never be worked on, whoever retries them.
alter table received_notifications add column authentic boolean not null default true;
alter table received_notifications add constraint received_notifications_forged
  check (authentic or state = 'error');
