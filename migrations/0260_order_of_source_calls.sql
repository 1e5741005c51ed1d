-- When the call of the newest trigger of an open page was received: an older acknowledgement or resolve that is processed late
-- must not silence the page.
alter table pages add column last_trigger_at timestamptz;
alter table waiting_pages add column triggered_at timestamptz;
-- The node that processes a call of a page source, so that another node takes the call over as soon as that node is gone.
alter table received_notifications add column claimed_by integer;
