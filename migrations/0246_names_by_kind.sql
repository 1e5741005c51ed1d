-- while the service runs: these indexes read all webhooks and sources.
-- A page source may have the name of a webhook of its team. Among webhooks, names stay unique.
create unique index concurrently if not exists webhooks_name_by_kind on webhooks (team_id, pages, lower(name)) where revoked_at is null;
drop index concurrently if exists webhooks_name;
create index concurrently if not exists page_sources_heartbeats on page_sources (id) where interval_minutes is not null;
