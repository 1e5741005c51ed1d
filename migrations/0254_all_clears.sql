-- Messages to people who were notified of a page, after a source or program resolved it. One for each delivery, address or message,
-- as the channel needs; a delivery has at most one.
create table all_clears (
  id text primary key check (id like 'delivery\_%'),
  organization_id text not null,
  delivery_id text not null,
  user_id text not null,
  channel text not null,
  state text not null check (state in ('waiting', 'sent', 'failed', 'cancelled')),
  -- The end of the lease while a node sends it.
  due_at timestamptz not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  -- The all-clear whose message stands for this one, too; its own id when it has a message of its own.
  carried_by text,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz check ((finished_at is null) = (state = 'waiting')),
  foreign key (organization_id, delivery_id) references deliveries (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create unique index all_clears_delivery on all_clears (delivery_id);
create index all_clears_due on all_clears (channel, due_at, id) where state = 'waiting';
create index all_clears_sent on all_clears (user_id, channel, sent_at);
