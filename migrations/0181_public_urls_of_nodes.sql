-- Where links to a process lead, as far as it serves the dashboard: workers put it into messages.
alter table nodes add column public_url text;
