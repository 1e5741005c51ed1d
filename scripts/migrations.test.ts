/**
 * During an upgrade, nodes of the previous release continue beside newer ones, and they are the way back. Pages are
 * accepted all the time, however large the tables are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type MigrationFile,
  migrationFiles,
  runsBesideOlder,
  runsWhileServing,
} from '../src/db/migration-files.ts';
import { breaches } from './migrations/additive.ts';
import { holdUps } from './migrations/hold-ups.ts';

/** Earlier migrations were written before anybody ran the service. */
const BEFORE_THE_FIRST_RELEASE = '0165_keys_by_their_own_index.sql';

test('every migration lets the previous release work, or is marked', async () => {
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

test('no migration makes pages wait, or it is marked', async () => {
  const files = await migrationFiles();
  const found = files
    .filter(({ name }) => name > BEFORE_THE_FIRST_RELEASE)
    .flatMap((file) => holdUps(file.text, before(file, files)).map((one) => `${file.name}: ${one}`));
  assert.deepEqual(
    found,
    [],
    'do it as each line says, or say “-- holds up the service: WHY” in the file; see CONTRIBUTING.md',
  );
  const both = files.filter(({ text }) => runsWhileServing(text) && !runsBesideOlder(text));
  assert.deepEqual(both, [], 'what older releases cannot live with is there before the service runs');
});

function before({ name }: MigrationFile, files: readonly MigrationFile[]): string[] {
  return files.filter((one) => one.name < name).map(({ text }) => text);
}

const REFUSED = [
  'drop table pages;',
  'alter table pages drop column title;',
  'alter table pages drop title;',
  'alter table pages alter column words drop expression;',
  'alter table pages rename column title to name;',
  'alter table pages rename to alarms;',
  'alter table pages alter column round type bigint;',
  'alter table pages alter title set data type varchar(100);',
  'alter table pages alter column text set not null;',
  'alter table pages add column importance integer not null;',
  'alter table pages add column a text, add column b text not null;',
  'alter table pages drop constraint pages_state_check;',
  'alter table contact_methods drop constraint contact_methods_check1;',
  'alter table pages drop constraint pages_urgency_check, drop column title;',
  'alter table pages add constraint short check (length(title) < 100);',
  'alter table pages add check (length(title) < 100) not valid;',
  'alter table pages add foreign key (team_id) references teams (id);',
  'create unique index on pages (title);',
  'drop index only_one;',
  'create unique index concurrently if not exists one on pages (title);',
  'drop index concurrently if exists only_one;',
  'create or replace function note() returns trigger language plpgsql as $$ begin return new; end $$;',
  'drop trigger noted on pages;',
  '-- a comment first\n  Alter   Table pages\n  Drop Column title;',
];

const ALLOWED = [
  'alter table pages add column importance integer;',
  'alter table pages add column importance integer not null default 0;',
  'alter table pages add column noted_at timestamptz not null default now();',
  "alter table pages alter column text set default '';",
  'alter table pages alter column text drop not null;',
  'alter table moments alter column search drop expression, alter column search drop not null;',
  'create table notes (id text primary key, text text not null check (length(text) < 10)); create unique index on notes (text);',
  "create table kinds (name text primary key); insert into kinds values ('a'); alter table kinds add check (name <> '');",
  'create index pages_titled on pages (title) where title is not null;',
  'drop index pages_titled;',
  'create function note() returns trigger language plpgsql as $$ begin update pages set title = 1; end $$;',
  '-- drop table pages;',
  'alter table pages drop constraint pages_urgency_check;',
];

test('changes that break the previous release are found, and nothing else', () => {
  const earlier = [
    'create unique index only_one on pages (title);\ncreate index pages_titled on pages (title);',
  ];
  for (const text of REFUSED) assert.equal(breaches(text, earlier).length > 0, true, text);
  for (const text of ALLOWED) assert.deepEqual(breaches(text, earlier), [], text);
});

const HOLDING_UP = [
  'create index pages_titled on pages (title);',
  'create unique index on pages (title);',
  'create index concurrently on pages (title);',
  'create table notes (id text); create index on notes (id); create index on pages (title);',
  'alter table pages alter column round type bigint;',
  'alter table pages alter title set data type varchar(100);',
  'alter table pages add column noted text, alter column text set not null;',
  'alter table pages set unlogged;',
  'alter table pages add column token text default gen_random_uuid();',
  'alter table pages add column both text generated always as (title || text) stored;',
  'alter table pages add column number integer generated by default as identity;',
  'alter table pages add column number bigserial;',
  'alter table pages add column importance integer check (importance > 0);',
  'alter table pages add column importance integer unique;',
  "alter table pages add column kind text default 'a' references kinds (name);",
  'alter table pages add constraint short check (length(title) < 100);',
  'alter table pages add check (length(title) < 100);',
  'alter table pages add check (length(title) < 100) not valid, add check (length(text) < 100);',
  'alter table only pages add foreign key (team_id) references teams (id);',
  'alter table pages add unique (title);',
  'alter table pages add constraint short primary key (title);',
  'alter table pages validate constraint short;',
  'drop index built;',
  'alter index built rename to made;',
  "update pages set title = 'x';",
  'delete from pages;',
  "insert into teams (id) values ('x');",
  'lock table pages;',
  'reindex table pages;',
  'do $$ begin update pages set title = 1; end $$;',
  'select fill_pages();',
];

const PASSING = [
  'alter table pages add column importance integer not null default 0;',
  'alter table pages add column noted_at timestamptz not null default now();',
  'alter table pages add column kind text references kinds (name);',
  'alter table pages add constraint short check (length(title) < 100) not valid;',
  'alter table pages add foreign key (team_id) references teams (id) not valid;',
  'alter table pages add constraint one unique using index built_before;',
  'alter table pages drop column title;',
  'create table notes (id text primary key, text text not null check (length(text) < 10)); create unique index on notes (text); alter table notes alter text type varchar(9);',
  "create table kinds (name text primary key); insert into kinds values ('a'); alter table kinds add check (name <> '');",
  'drop index pages_titled;',
  'create function note() returns trigger language plpgsql as $$ begin update pages set title = 1; end $$;',
  "-- holds up the service: titles are sorted anew\nupdate pages set title = 'x';",
];

test('changes that would make pages wait are found, and nothing else', () => {
  const earlier = [
    '-- while the service runs\ncreate index concurrently if not exists built on pages (text);',
  ];
  for (const text of HOLDING_UP) assert.equal(holdUps(text, earlier).length, 1, text);
  for (const text of PASSING) assert.deepEqual(holdUps(text, earlier), [], text);
});

test('migrations that run while serving can be interrupted and started again', () => {
  const marked = (text: string) => holdUps(`-- while the service runs\n${text}`);
  for (const text of [
    'create index concurrently on pages (title);',
    'create index concurrently named on pages (title);',
    'create index if not exists named on pages (title);',
    'create unique index concurrently if not exists named on pages (title);',
    'drop index concurrently named;',
    'drop index if exists named;',
    'alter table pages add column importance integer;',
    'alter table pages validate constraint short, add column importance integer;',
    "update pages set title = 'x';",
  ])
    assert.equal(marked(text).length, 1, text);
  for (const text of [
    'create index concurrently if not exists named on pages (title) where title is not null;',
    'create unique index concurrently if not exists pages_open_key on pages (dedup_key);',
    'drop index concurrently if exists named;',
    'alter table pages validate constraint short;',
  ])
    assert.deepEqual(marked(text), [], text);
  assert.equal(
    holdUps('-- first\n-- while the service runs\ncreate index concurrently if not exists n on pages (a);')
      .length,
    1,
  );
});

test('a migration with a reason not to run beside older releases is accepted', () => {
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
