-- while the service runs: finds the calls of a webhook that wait and were received before others, without reading its whole queue. Until
-- it is built, they are found by the index of the turns, which takes longer the more calls of the webhook wait.
create index concurrently if not exists received_notifications_in_order on received_notifications (webhook_id, received_at, id) where state = 'queued';
