-- Whose turn a waiting row is: the team of its page, or the person of a page without a team; and how urgent it is (0 for high,
-- 1 for medium, 2 for low). Workers let teams take turns, so that the storm of one delays no other. Rows of an older release,
-- which leaves both out, take the turn of their organization.
alter table page_steps add column turn_of text not null default '', add column turn_rank integer not null default 1;
alter table deliveries add column turn_of text not null default '', add column turn_rank integer not null default 1;
