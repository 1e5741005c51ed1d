-- Which events a webhook of a person gets besides pages: those of moments and of shifts of the person's teams.
alter table contact_methods add column events text[] not null default '{}';
-- The body of an event for a program; null for notices and other messages, and once it was sent.
alter table messages add column body jsonb;
