/** docs/retention.md says for every table what removes its rows, and the code agrees. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig, SETTING_NAMES } from '../src/config.ts';
import { type DutyServices, everyDuty } from '../src/worker/every-duty.ts';

const root = new URL('../', import.meta.url);
const schema = readFileSync(new URL('schema.sql', root), 'utf8');
const page = readFileSync(new URL('docs/retention.md', root), 'utf8');

const GOES = table('Removed after a time');
const GOES_WITH = table('Removed with another row');
const STAYS = table('Kept until somebody removes it');

/** The duty that removes the rows of each table in the first list. */
const REMOVED_BY: Readonly<Record<string, string>> = {
  announced: 'forget old announcements and swaps',
  api_keys: 'forget revoked keys',
  audit_log: 'forget old audit entries',
  availabilities: 'forget old availability',
  challenges: 'forget old challenges',
  contact_method_codes: 'forget old codes',
  contact_method_sends: 'forget old codes',
  cover_checks: 'settle covers after absences and changes',
  covers: 'forget old covers',
  former_shifts: 'forget shifts of deleted schedules',
  handoff_drafts: 'write the notes of hand-offs',
  handoff_notes: 'forget old notes of hand-offs',
  holidays: 'forget old holidays',
  idempotency_keys: 'forget old answers',
  inbound_answers: 'forget old answers to pages',
  invitations: 'forget old invitations',
  maintenance_windows: 'forget old maintenance windows',
  messages: 'forget old notices',
  moment_ends: 'forget old ends of moments',
  moments: 'forget old moments',
  nodes: 'forget nodes that ended',
  notices: 'forget old notices',
  open_dashboards: 'forget dashboards of lost nodes',
  overrides: 'forget old overrides',
  pages: 'forget old pages',
  plans: 'forget old plans',
  problems: 'forget old problems',
  received_notifications: 'forget old webhook calls',
  refused_pages: 'forget refused pages',
  requests: 'forget old requests',
  sessions: 'forget old sessions',
  shifts: 'forget old shifts',
  sign_in_attempts: 'forget old tries to sign in',
  sign_in_links: 'forget old sessions',
  swaps: 'forget old swaps',
  webhook_deliveries: 'forget old deliveries of webhooks',
  webhook_former_tokens: 'forget old tokens of webhooks',
  window_events: 'forget old maintenance windows',
};

/** The rows of a section, one for each table that their first cell names. */
function table(section: string): { name: string; how: string }[] {
  const [, body = ''] = page.split(`\n## ${section}\n`);
  return (body.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap(([, names = '', how = '']) => inCode(names).map((name) => ({ name, how })));
}

function inCode(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

type Reference = { from: string; columns: string[]; to: string; onDelete: string };

const references: Reference[] = [];
/** The first columns of each index of a table. */
const leading = new Map<string, Set<string>>();
const tables = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)^\);/gm)].map(
  ([, name = '', body = '']) => {
    for (const [, columns = '', to = '', onDelete = ''] of body.matchAll(
      /FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)\([^)]+\)(?: ON DELETE (CASCADE|SET NULL))?/g,
    ))
      references.push({ from: name, columns: columns.split(', '), to, onDelete });
    const keys = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE(?: NULLS NOT DISTINCT)?) \((\w+)/g)];
    const indexes = [...schema.matchAll(new RegExp(`ON public\\.${name} USING btree \\((\\w+)`, 'g'))];
    leading.set(name, new Set([...keys, ...indexes].map(([, column = '']) => column)));
    return name;
  },
);

test('every table is on the page, once', () => {
  assert.ok(tables.length > 50);
  const told = [...GOES, ...GOES_WITH, ...STAYS].map(({ name }) => name);
  assert.deepEqual([...told].sort(), [...tables].sort());
});

test('every table whose rows are removed after a time has a duty, and every duty that deletes has a table', () => {
  const services = { config: readConfig({}) } as DutyServices;
  const duties = everyDuty(services).map(({ name }) => name);
  const removing = new Set(Object.values(REMOVED_BY));
  assert.deepEqual(GOES.map(({ name }) => name).sort(), Object.keys(REMOVED_BY).sort());
  assert.deepEqual(
    [...removing].filter((name) => !duties.includes(name)),
    [],
  );
  assert.deepEqual(
    duties.filter((name) => name.startsWith('forget') && !removing.has(name)),
    [],
  );
});

test('every retention setting is on it, and every setting that it names exists', () => {
  const told = new Set(GOES.flatMap(({ how }) => how.match(/[A-Z]+_[A-Z_]+/g) ?? []));
  const settings = SETTING_NAMES.filter((name) => name.endsWith('RETENTION_DAYS'));
  assert.deepEqual([...told].sort(), [...settings].sort());
});

test('the database removes the rows that go with something else', () => {
  for (const { name, how } of GOES_WITH) {
    const [whole = ''] = inCode(how);
    assert.ok(
      references.some(({ from, to, onDelete }) => from === name && to === whole && onDelete === 'CASCADE'),
      `${name} has no foreign key to ${whole} that cascades`,
    );
  }
});

/** Without an index, each deleted row would cost a scan of all rows that might refer to it. */
test('every reference to rows that are removed has an index', () => {
  const going = new Set([...GOES, ...GOES_WITH].map(({ name }) => name));
  const slow = references
    .filter(({ to }) => going.has(to))
    .filter(
      ({ from, columns }) =>
        !columns.some((column) => column !== 'organization_id' && leading.get(from)?.has(column)),
    )
    .map(({ from, columns, to }) => `${from} (${columns}) → ${to}`);
  assert.deepEqual(slow, []);
});
