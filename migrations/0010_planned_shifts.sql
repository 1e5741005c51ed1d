-- A shift row may be one piece of a shift: overrides cut it. These two say which planned shift the row is a piece of;
-- null where only an override put somebody on call.
alter table shifts
  add column planned_starts_at timestamptz,
  add column planned_ends_at timestamptz,
  -- Why the plan chose this person, or nobody: {rule, skipped: [{user_id, because}]}.
  add column reason jsonb,
  add constraint shifts_planned_bounds check (planned_ends_at > planned_starts_at),
  add constraint shifts_planned_whole check ((planned_starts_at is null) = (planned_ends_at is null));

-- Since when somebody takes part in a stage: fair shares count from here. Null: as long as the schedule exists.
alter table stage_members add column joined_at timestamptz;
