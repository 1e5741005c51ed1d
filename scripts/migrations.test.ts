/** Nodes of the release before go on beside newer ones while they are replaced, and are the way back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MigrationFile, migrationFiles, runsBesideOlder } from '../src/db/migrate.ts';
import { breaches } from './migrations/additive.ts';

/** Up to here the schema was made before anybody ran it. */
const BEFORE_THE_FIRST_RELEASE = '0165_keys_by_their_own_index.sql';

test('every migration leaves the release before at work, or says that it does not', async () => {
  const files = await migrationFiles();
  const found = files
    .filter(({ name, text }) => name > BEFORE_THE_FIRST_RELEASE && runsBesideOlder(text))
    .flatMap((file) => breaches(file.text, before(file, files)).map((one) => `${file.name}: ${one}`));
  assert.deepEqual(
    found,
    [],
    'spread it over two releases, or say “-- not beside older releases: WHY” in it; see CONTRIBUTING.md',
  );
});

function before({ name }: MigrationFile, files: readonly MigrationFile[]): string[] {
  return files.filter((one) => one.name < name).map(({ text }) => text);
}

const REFUSED = [
  'drop table pages;',
  'alter table pages drop column title;',
  'alter table pages drop title;',
  'alter table pages rename column title to name;',
  'alter table pages rename to alarms;',
  'alter table pages alter column round type bigint;',
  'alter table pages alter title set data type varchar(100);',
  'alter table pages alter column text set not null;',
  'alter table pages add column importance integer not null;',
  'alter table pages add column a text, add column b text not null;',
  'alter table pages add column token text default gen_random_uuid();',
  'alter table pages add column both text generated always as (title || text) stored;',
  'alter table pages drop constraint pages_state_check;',
  'alter table pages add constraint short check (length(title) < 100);',
  'alter table pages add check (length(title) < 100) not valid;',
  'alter table pages add foreign key (team_id) references teams (id);',
  'create unique index on pages (title);',
  'drop index only_one;',
  'create index concurrently on pages (title);',
  'create or replace function note() returns trigger language plpgsql as $$ begin return new; end $$;',
  'drop trigger noted on pages;',
  "update pages set title = 'x';",
  'delete from pages;',
  "insert into teams (id) values ('x');",
  '-- a comment first\n  Alter   Table pages\n  Drop Column title;',
];

const ALLOWED = [
  'alter table pages add column importance integer;',
  'alter table pages add column importance integer not null default 0;',
  'alter table pages add column noted_at timestamptz not null default now();',
  "alter table pages alter column text set default '';",
  'alter table pages alter column text drop not null;',
  'create table notes (id text primary key, text text not null check (length(text) < 10)); create unique index on notes (text);',
  "create table kinds (name text primary key); insert into kinds values ('a'); alter table kinds add check (name <> '');",
  'create index pages_titled on pages (title) where title is not null;',
  'drop index pages_titled;',
  'create function note() returns trigger language plpgsql as $$ begin update pages set title = 1; end $$;',
  '-- drop table pages;',
];

test('what the release before cannot live with is found, and nothing else', () => {
  const earlier = [
    'create unique index only_one on pages (title);\ncreate index pages_titled on pages (title);',
  ];
  for (const text of REFUSED) assert.equal(breaches(text, earlier).length > 0, true, text);
  for (const text of ALLOWED) assert.deepEqual(breaches(text, earlier), [], text);
});

test('a migration that says why not beside older releases is taken at its word', () => {
  assert.equal(
    runsBesideOlder('-- not beside older releases: steps have a new kind\ndrop table pages;'),
    false,
  );
  assert.equal(
    runsBesideOlder('-- not beside older releases:\ndrop table pages;'),
    true,
    'it does not say why',
  );
});
