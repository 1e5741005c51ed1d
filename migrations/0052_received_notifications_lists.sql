-- Lists of received notifications, newest first: of an organization, and of what failed or was ignored, which is rare
-- and would otherwise be looked for among everything that went well.
create index received_notifications_organization on received_notifications (organization_id, id desc);
create index received_notifications_unrecorded on received_notifications (organization_id, state, id desc)
  where state in ('error', 'ignored');
create index received_notifications_webhook_unrecorded on received_notifications (webhook_id, state, id desc)
  where state in ('error', 'ignored');
