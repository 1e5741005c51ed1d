-- while the service runs: these indexes read all pages and received calls.
create index concurrently if not exists received_notifications_paging on received_notifications (due_at, id) where state = 'queued' and pages;
create unique index concurrently if not exists pages_open_key on pages (organization_id, dedup_scope, dedup_key)
  where dedup_key is not null and state in ('notifying', 'acknowledged');
create index concurrently if not exists pages_key on pages (organization_id, dedup_scope, dedup_key, id desc) where dedup_key is not null;
create index concurrently if not exists pages_source on pages (source_id, id desc) where source_id is not null;
