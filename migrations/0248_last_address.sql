-- The address of the last caller of a URL that has ended, so that its owners find the sender. Removed when the problem is closed.
alter table problems add column last_address text;
