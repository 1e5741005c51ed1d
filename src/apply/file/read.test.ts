import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkFile } from '../check.ts';
import { userIds } from '../save-users.ts';
import { emptyState } from '../state.ts';
import { readContactMethod } from './contact-method.ts';
import { rangeOf, rulesOf } from './contents.ts';
import { byPosition } from './document.ts';
import { readFile } from './read.ts';

/** `line:column path message`, as people see it, with the problems that the rooms find in a new organization. */
function problemsIn(text: string, alsoByTheRooms = false): string[] {
  const { file, document } = readFile(text);
  const state = emptyState({ id: 'organization_1', name: 'Acme', timeZone: 'UTC' });
  if (file && alsoByTheRooms) {
    const names = { users: userIds(file, state), teams: new Map(), schedules: new Map() };
    const at = Temporal.Instant.from('2026-11-23T00:00:00Z');
    checkFile({ document, file, state, prune: false, names, at });
  }
  return document.errors
    .toSorted(byPosition)
    .map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
}

const whole = `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    username: ada
    role: owner
    time_zone: Europe/London
    contact_methods:
      - { type: phone, value: +15005550006 }
      - { type: phone, value: "+1 (500) 555-0007" }
      - { type: email, value: ada@example.com }
      - { type: chat, value: ada, chat_user_id: U024BE7LH }
      - { type: webhook, value: "http://127.0.0.1:9000/ada", signing_secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw }
    notification_rules:
      high: [ { after_minutes: 0, types: [webhook, email] }, { after_minutes: 0.5, types: [phone, call, sms] } ]
teams:
  - { name: Site Reliability, slug: sre, members: [ada@example.com] }
schedules:
  - name: SRE
    team: sre
    description:
    backstop: ~
    shifts: { every: week, handoff: "Monday 09:00" }
    stages:
      - { stage: 1.5, members: [ada@example.com], escalate_after_minutes: 0.05 }
      - { stage: 2, members: [] }
    overrides:
      - { stage: 2, user: ada@example.com, start: 2026-11-20T00:00:00Z, end: 2026-11-21 00:00 }
availabilities:
  - { user: Ada@Example.com, type: requested, start: 2026-12-10T00:00:00+01:00, end: 2026-12-11T00:00:00Z }
`;

describe('a valid file', () => {
  const { file, document } = readFile(whole);

  it('is read without a message', () => {
    assert.deepEqual(document.errors, []);
    assert.deepEqual(file?.organization, { name: 'Acme', time_zone: 'Europe/Berlin' });
  });

  it('normalizes phone numbers, with or without quotes', () => {
    const methods = file?.users?.[0]?.contact_methods?.map(readContactMethod) ?? [];
    const values = methods.map((read) => ('method' in read ? read.method.value : read.problems));
    assert.deepEqual(values.slice(0, 2), ['+15005550006', '+15005550007']);
  });

  it('accepts three names for a call, and fractions of a minute', () => {
    const [ada = assert.fail('nobody was read')] = file?.users ?? [];
    assert.deepEqual(rulesOf(ada), [
      { urgency: 'high', position: 0, afterMs: 0, channels: ['webhook', 'email'] },
      { urgency: 'high', position: 1, afterMs: 30_000, channels: ['voice', 'sms'] },
    ]);
  });

  it('distinguishes deliberately empty values from missing ones', () => {
    const [schedule = assert.fail('no schedule was read')] = file?.schedules ?? [];
    assert.equal(schedule.description, null);
    assert.equal(schedule.backstop, null);
    assert.ok(!('enabled' in schedule) && !('strategy' in schedule));
    assert.deepEqual(
      schedule.stages?.map(({ stage, escalate_after_minutes, seats }) => [
        stage,
        escalate_after_minutes,
        seats,
      ]),
      [
        [1.5, 0.05, undefined],
        [2, undefined, undefined],
      ],
    );
  });

  it('reads times without an offset as UTC', () => {
    const [override = assert.fail('no override was read')] = file?.schedules?.[0]?.overrides ?? [];
    const [record = assert.fail('no availability was read')] = file?.availabilities ?? [];
    assert.equal(String(rangeOf(override).endsAt), '2026-11-21T00:00:00Z');
    assert.equal(String(rangeOf(record).startsAt), '2026-12-09T23:00:00Z');
  });
});

describe('an unreadable file', () => {
  it('is reported with the place where it stops being YAML', () => {
    const [problem] = problemsIn('organization:\n  name: "Acme\nusers: []\n');
    assert.match(problem ?? '', /^\d:\d+ the file is not valid YAML here: /);
    const [twice] = problemsIn('teams: []\nteams: []\n');
    assert.match(twice ?? '', /^2:1 the file is not valid YAML here: Map keys must be unique/);
  });

  it('is not mistaken for a file that mentions nothing', () => {
    for (const text of ['', '# only a remark\n', '{}', 'null'])
      assert.deepEqual(problemsIn(text), [
        '1:1 the file is empty; describe organization, users, teams, schedules or availabilities in it',
      ]);
    assert.deepEqual(problemsIn('- a\n- b\n'), [
      '1:1 the file is not a map; write keys with values, such as "users:" with a list below it',
    ]);
  });
});

describe('every problem is reported at once, each at its position', () => {
  it('misspelled keys with the nearest known one', () => {
    assert.deepEqual(problemsIn('user: []\nteams:\n  - slug: sre\n    membres: []\n    colour: red\n'), [
      '1:1 user is not a key of this file; did you mean users?',
      '4:5 teams[0].membres is not a key of a team; did you mean members?',
      '5:5 teams[0].colour is not a key of a team; known keys are name, slug, members',
    ]);
  });

  it('people', () => {
    const text = `users:
  - name: Nobody
  - email: ada
    role: boss
    time_zone: Middle/Earth
    username: a b
  - email: eve@example.com
    name: 42
    contact_methods:
      - { type: phone, value: "030 901820" }
      - { type: fax, value: x }
      - { type: push, value: x }
      - { type: email, value: eve@example.com, chat_user_id: U1 }
      - { type: email, value: eve@example.com }
      - { type: webhook, value: "ftp://example.com" }
      - { type: webhook, value: "https://u:p@example.com", signing_secret: whsec_short }
    notification_rules:
      hihg: []
      high: [ { after_minutes: -1, types: [pigeon] }, { types: [] } ]
  - email: EVE@example.com
`;
    assert.deepEqual(problemsIn(text), [
      '2:5 users[0].email is missing; give an email address such as ada@example.com',
      '3:12 users[1].email is "ada"; give an email address such as ada@example.com',
      '4:11 users[1].role is "boss", which is not among the allowed values; give one of owner, admin, member',
      '5:16 users[1].time_zone is "Middle/Earth"; give an IANA time zone such as Europe/Berlin',
      '6:15 users[1].username is "a b"; give a handle without spaces or @, such as ada.l',
      '8:11 users[2].name is 42, a number; give a text of 1 to 200 characters; put it in quotes if it is a text',
      '10:31 users[2].contact_methods[0].value does not start with + and a country code; give it in international form, such as +49301234567',
      '11:17 users[2].contact_methods[1].type is "fax"; give one of phone, chat, email, webhook',
      '12:17 users[2].contact_methods[2].type is push, which people set up in the dashboard on their own devices; leave it out',
      '13:62 users[2].contact_methods[3].chat_user_id belongs to a contact method of type chat, and this one is email; leave it out',
      '14:9 users[2].contact_methods[4] appears twice; it is already in line 13',
      '15:33 users[2].contact_methods[5].value is not an http or https URL; give one such as https://example.com/pages',
      '16:33 users[2].contact_methods[6].value contains a user name or password; leave them out, because every call is signed instead',
      '16:76 users[2].contact_methods[6].signing_secret is not a signing secret; give whsec_ followed by 24 to 64 random bytes in base64',
      '18:7 users[2].notification_rules.hihg is not a key of notification rules; did you mean high?',
      '19:32 users[2].notification_rules.high[0].after_minutes is -1, out of range; give a number from 0 to 1440',
      '19:44 users[2].notification_rules.high[0].types[0] is "pigeon", which is not among the allowed values; give one of push, sms, voice, chat, email, webhook, browser, phone, call',
      '19:55 users[2].notification_rules.high[1].after_minutes is missing; give a number from 0 to 1440',
      '19:64 users[2].notification_rules.high[1].types is empty; give a list of push, sms, voice, chat, email, webhook, browser, phone, call',
      '20:12 users[3].email appears twice; it is already in line 7',
    ]);
  });

  it('schedules', () => {
    const text = `schedules:
  - name: One
    team: Site Reliability
    enabled: yes
    strategy: fare
    plan_ahead_weeks: 2.5
    rest_hours: "8"
    shifts: { evry: week }
    stages:
      - { stage: one, members: ada@example.com }
      - { stage: 1, members: [ada@example.com, Ada@example.com], escalate_after_minutes: 0 }
      - { stage: 1.0, members: [], seats: 0 }
    overrides:
      - { stage: 1, user: ada@example.com, start: 2026-11-20, end: 2026-11-20T00:00:00Z }
      - { stage: 1, user: ada@example.com, start: 2026-11-20T00:00:00Z, end: 2026-11-20T00:00:00Z }
  - name: One
    stages: []
users: [ { email: ada@example.com } ]
`;
    const found = problemsIn(text, true);
    assert.deepEqual(found, [
      '3:11 schedules[0].team is "Site Reliability"; give a short name of the letters a–z, digits and -, such as site-reliability',
      '4:14 schedules[0].enabled is "yes", a string; give true or false',
      '5:15 schedules[0].strategy is "fare", which is not among the allowed values; give one of fair, rotation; did you mean fair?',
      '6:23 schedules[0].plan_ahead_weeks is 2.5, a number; give a whole number from 1 to 104',
      '7:17 schedules[0].rest_hours is "8", a string; give a number from 0 to 8760',
      ...found.filter((line) => line.startsWith('8:')),
      '10:18 schedules[0].stages[0].stage is "one", a string; give a number from 0 to 1000000',
      '10:32 schedules[0].stages[0].members is "ada@example.com", a string; give a list of email addresses',
      '11:48 schedules[0].stages[1].members[1] names Ada@example.com twice',
      '11:90 schedules[0].stages[1].escalate_after_minutes is 0, out of range; give a number from 0.01 to 10080',
      '12:18 schedules[0].stages[2].stage is 1, which another stage has; give another number',
      '12:43 schedules[0].stages[2].seats is 0, out of range; give a whole number from 1 to 20',
      '14:51 schedules[0].overrides[0].start is "2026-11-20"; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z',
      '15:78 schedules[0].overrides[1].end is not after start; give a later time',
      '16:5 schedules[1].team is missing; give the slug of the team that it belongs to',
      '16:5 schedules[1].shifts is missing; give the times at which shifts change, such as { "every": "week", "handoff": "Monday 09:00" }',
      '16:11 schedules[1].name appears twice; it is already in line 2',
      '17:13 schedules[1].stages is empty; give a list of at least one stage',
    ]);
    assert.match(found.join('\n'), /^8:\d+ schedules\[0\]\.shifts\.evry /m);
    assert.match(found.join('\n'), /^8:13 schedules\[0\]\.shifts\.every is missing/m);
  });

  it('absences', () => {
    const text = `availabilities:
  - { user: a@b.c, type: unavailable, start: 2026-12-10T00:00:00Z }
  - { user: a@b.c, type: requested, start: 2026-12-10T00:00:00Z, end: 2026-12-11T00:00:00Z }
  - { user: A@b.c, type: requested, start: 2026-12-10T01:00:00+01:00, end: 2026-12-11T00:00:00Z }
`;
    assert.deepEqual(problemsIn(text), [
      '2:5 availabilities[0].end is missing; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z',
      '2:26 availabilities[0].type is "unavailable", which is not among the allowed values; give one of hard_unavailable, soft_unavailable, requested',
      '4:13 availabilities[2].user appears twice; it is already in line 3',
    ]);
  });
});

describe('anchors', () => {
  it('may be used for repeated parts', () => {
    const text = `
teams:
  - { slug: a, members: &everybody [ada@example.com] }
  - { slug: b, members: *everybody }
users:
  - &base { email: ada@example.com, time_zone: Europe/Paris, role: admin }
  - { <<: *base, email: bob@example.com }
`;
    const { file, document } = readFile(text);
    assert.deepEqual(document.errors, []);
    assert.deepEqual(file?.teams?.[1]?.members, ['ada@example.com']);
    assert.deepEqual(
      file?.users?.map(({ email, time_zone, role }) => [email, time_zone, role]),
      [
        ['ada@example.com', 'Europe/Paris', 'admin'],
        ['bob@example.com', 'Europe/Paris', 'admin'],
      ],
    );
  });

  it('that refer to themselves end', () => {
    assert.ok(problemsIn('users:\n  - &a { <<: *a, email: a@b.c }\n').length >= 0);
    assert.ok(problemsIn('teams: &a\n  - *a\n').length > 0);
    assert.ok(problemsIn('schedules:\n  - { name: x, shifts: &s { every: *s } }\n').length > 0);
  });
});

describe('any file', () => {
  it('is read or refused, and never causes an exception', () => {
    const pieces = whole.split(/(?<=[\s{}[\],:])/);
    const edits = fc.array(
      fc.record({
        at: fc.nat(pieces.length - 1),
        with: fc.oneof(
          fc.constantFrom('', '\n', '- ', '{', ']', '*x', '&x ', '~', '1', '!!binary '),
          fc.string(),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(edits, (list) => {
        const changed = [...pieces];
        for (const edit of list) changed[edit.at] = edit.with;
        for (const { line, column, message } of readFile(changed.join('')).document.errors) {
          assert.ok(line >= 1 && column >= 1 && message.length > 0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
