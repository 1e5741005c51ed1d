-- What is newest goes to the end of its part of an index, where PostgreSQL fills pages instead of halving them. Lists read
-- the same indexes backwards.
drop index received_notifications_newest;
create index received_notifications_newest on received_notifications (webhook_id, id);
drop index moments_team;
create index moments_team on moments (team_id, id);
