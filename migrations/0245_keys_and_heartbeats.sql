-- What the keys of page sources are hashed with, encrypted with the secret key. A value of its own, so that a new secret key
-- leaves the hashes as they are.
alter table installation add column source_pepper bytea;

-- Since when the service has accepted calls without a gap, kept by the nodes that accept them. No heartbeat is late while no node
-- could accept it, and each gets its full interval from `since`. One row.
create table accepting (
  one boolean primary key default true check (one),
  since timestamptz not null,
  seen_at timestamptz not null
);
