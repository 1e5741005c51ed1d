-- The languages of texts for people: of the organization, and of each person who chose another one. Null: that of the organization.
alter table organizations add column language text not null default 'en';
alter table users add column language text;
