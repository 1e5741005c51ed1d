-- A stage that is linked to a stage of another schedule has no members and no shifts: the people who are on call there are on call
-- here, too. Earlier releases take it for a stage with nobody in it.
alter table schedule_stages add column linked_schedule_id text collate "C" references schedules on delete set null;
alter table schedule_stages add column linked_stage numeric;
