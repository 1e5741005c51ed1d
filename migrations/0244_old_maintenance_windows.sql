-- while the service runs: finds maintenance windows that are long over.
create index concurrently if not exists maintenance_windows_over on maintenance_windows (over_at) where over_at is not null;
