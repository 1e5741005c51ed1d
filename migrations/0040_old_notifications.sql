-- What is old enough to be forgotten is found without reading what is not.
create index received_notifications_age on received_notifications (received_at) where state <> 'queued';
