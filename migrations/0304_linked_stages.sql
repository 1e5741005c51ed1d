-- A stage that is linked to a stage of another schedule has no members and no shifts: the people who are on call there are on call
-- here, too. Earlier releases take it for a stage with nobody in it.
alter table schedule_stages add column linked_schedule_id text collate "C";
alter table schedule_stages add column linked_stage numeric;
alter table schedule_stages add foreign key (organization_id, linked_schedule_id)
  references schedules (organization_id, id) on delete set null (linked_schedule_id);
create index schedule_stages_linked on schedule_stages (organization_id, linked_schedule_id)
  where linked_schedule_id is not null;
