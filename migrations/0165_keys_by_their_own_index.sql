-- Foreign keys are checked by (organization_id, id). While these tables were small, PostgreSQL took any index that
-- begins with the organization for that, kept the plan, and read everybody of the organization for each check.
drop index users_email;
create unique index users_email on users (lower(email), organization_id);
drop index users_username;
create unique index users_username on users (lower(username), organization_id);
drop index teams_slug;
create unique index teams_slug on teams (lower(slug), organization_id);
drop index schedules_name;
create unique index schedules_name on schedules (name, organization_id);
