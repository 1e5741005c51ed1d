-- What was announced ahead of time, so that it is told once: a gap, a cover without a taker, somebody who cannot be
-- reached, a shift that begins; each a week, a day or an hour ahead.
create table announced (
  key text primary key check (length(key) between 1 and 500),
  announced_at timestamptz not null
);
create index announced_by_time on announced (announced_at);

-- Gaps and shifts that begin soon are looked for every minute.
create index shifts_gaps on shifts (starts_at) where user_id is null;
create index shifts_by_start on shifts (starts_at);
