-- Queue tables are small where work is waiting and grow without end where it is done. PostgreSQL's default cleans a table
-- once a fifth of it is dead: with ten million rows that is too late for an index over the few that wait. Here it begins
-- after a fixed number of changes, and looks at new rows soon enough for index-only scans.
alter table page_steps set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table deliveries set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table received_notifications set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table requests set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, fillfactor = 85);
alter table messages set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
