-- while the service runs: finds the moments that a person acknowledged or resolved, newest first.
create index concurrently if not exists moments_acknowledged_by on moments (acknowledged_by, id desc) where acknowledged_by is not null;
create index concurrently if not exists moments_resolved_by on moments (resolved_by, id desc) where resolved_by is not null;
