-- A page that was answered can notify again: un-acknowledged, reopened, or because its acknowledgement timed out.

alter table pages
  -- The ladder is climbed three times from the round in which the page began to notify (again); then it expires.
  add column last_round integer not null default 3,
  -- Of a page that notified again after its acknowledgement: who acknowledged it first, and when. Response times count to
  -- this. The columns without `first_` belong to the acknowledgement that stands now.
  add column first_acknowledged_at timestamptz,
  add column first_acknowledged_by text,
  -- When an acknowledged page notifies again unless somebody resolves or extends it; null: never.
  add column remind_at timestamptz;
