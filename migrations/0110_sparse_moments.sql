-- A list of unresolved moments of one state, team or webhook is looked up in the index alone, however few of the
-- unresolved ones match. It costs no more writes: whatever changes the state of a moment touches this index anyway.
create index moments_unresolved_by on moments (organization_id, id desc, state, team_id, webhook_id)
  where state <> 'resolved';
drop index moments_unresolved;
alter index moments_unresolved_by rename to moments_unresolved;
