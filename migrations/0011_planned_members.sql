-- Whom a stage's future shifts were planned with, in their order: when it changes, they are planned anew.
alter table schedule_stages add column planned_members text[];
