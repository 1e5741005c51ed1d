-- Overrides are removed when they are over, and with each PostgreSQL looks for the shifts that name it.
create index shifts_of_override on shifts (override_id) where override_id is not null;
