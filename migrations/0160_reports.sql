-- Reports read pages, and who was asked about them, by time. Time comes first: an index that begins with the
-- organization and lacks the key would be taken for checking foreign keys while the tables are small, and kept.
create index pages_by_time on pages (created_at, organization_id);
create index responders_by_time on responders (started_at, organization_id);
