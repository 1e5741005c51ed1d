-- while the service runs: finds the webhooks that get events, and the events that wait for one of them.
create index concurrently if not exists contact_methods_events on contact_methods (organization_id) where events <> '{}';
create index concurrently if not exists messages_events on messages (contact_method_id) where state = 'waiting' and body is not null;
