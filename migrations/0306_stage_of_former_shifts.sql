-- The stage of times in deleted schedules, because pay may depend on it; null for schedules that were deleted before.
alter table former_shifts add column stage numeric;
