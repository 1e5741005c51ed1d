-- API nodes with LIFEBOAT=on take pages while this database is away. Each of them writes its row here every second,
-- which also shows it that the database takes writes. The database of a lifeboat itself holds one row: its own.
create table lifeboats (
  id text primary key check (id like 'lifeboat\_%'),
  host text not null,
  state text not null check (state in ('ashore', 'afloat', 'landing')),
  -- When the configuration was last copied from this database; null: never.
  copied_at timestamptz,
  seen_at timestamptz not null
);
