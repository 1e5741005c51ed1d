-- The unique index on organization and id, read backwards, lists requests as well: one index less for each that is accepted.
drop index requests_newest;
