-- How long the body of a call was of which not all is kept; null where it is kept whole.
alter table received_notifications add column if not exists body_bytes integer;
