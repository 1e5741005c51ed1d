-- Who joins a schedule whose shifts are published shares those that follow, and owes nothing for those before.
alter table stage_members add column shares_from timestamptz;
