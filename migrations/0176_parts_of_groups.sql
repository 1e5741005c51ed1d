-- What is known of each alert of a group, so that one that was silenced while the group ended is not taken for a late
-- repetition. Null: its sender names no parts, or too many. Old rows stay as they are, and so does what is told of them.
alter table moments add column parts jsonb;
alter table moment_ends add column parts jsonb;
