-- Calls of page sources that a failover of the database had lost and that were written again: people may have been notified
-- of them before, so what they raise is marked as a repeat.
alter table received_notifications add column may_repeat boolean not null default false;
