-- Which lifeboat pages what waits here, if it becomes due while this database is away; null: none has taken it yet. One
-- lifeboat takes it, so that several do not page the same.
alter table waiting_pages add column lifeboat text;
-- People may have been notified of it already.
alter table waiting_pages add column may_repeat boolean not null default false;
-- Only in the database of a lifeboat: the waiting pages of the main database that it pages when they become due while that one
-- is away. They are read again every second, and come to life in `waiting_pages` when the lifeboat begins to take pages.
create table lifeboat_waiting (
  -- Their number in the main database.
  waiting_id bigint primary key,
  request_id text not null,
  position integer not null,
  -- When the newest trigger that was read was received.
  triggered_at timestamptz not null,
  -- The rows of `waiting_pages` and `requests`.
  waiting jsonb not null,
  request jsonb not null,
  -- It was put into `waiting_pages`: if it is not there any more, it has paged, or was answered before it did.
  aboard boolean not null default false
);
create index lifeboat_waiting_request on lifeboat_waiting (request_id);
