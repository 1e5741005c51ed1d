-- A page that tries who answers, while nothing is broken: marked for the people it notifies, and left out of reports.
alter table pages add column drill boolean not null default false;
