-- The person whom a sender named when it acknowledged, and what that person wrote. Null where a person of ours acknowledged,
-- or the sender named nobody.
alter table moments add column acknowledged_as text;
alter table moments add column acknowledged_comment text;
