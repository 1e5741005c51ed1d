import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { curl, startUploads, type Uploads } from '../../testing/uploads.ts';

const HEADER = 'email,start_time,end_time,name\n';
const CSV = `${HEADER}ADA@Example.com,2026-12-24T08:00:00+01:00,2026-12-27T08:00:00Z,Christmas\ngrace@example.com,2026-12-31T00:00:00Z,,\n`;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const uploads = await startUploads({ after });

function assertSaved(
  answer: { status: number; json: Awaited<ReturnType<Uploads['send']>>['json'] },
  ids: string[],
) {
  assert.equal(answer.status, 200);
  const [first, second] = answer.json.availabilities;
  assert.deepEqual(Object.keys(answer.json).sort(), ['availabilities', 'message', 'ok']);
  assert.equal(answer.json.ok, true);
  assert.match(first.id, /^availability_[0-9a-z]{26}$/);
  assert.match(first.created_at, TIME);
  assert.deepEqual(first, {
    id: first.id,
    organization_user_id: ids[0],
    availability_type: 'hard_unavailable',
    name: 'Christmas',
    time_range_start: '2026-12-24T07:00:00.000Z',
    time_range_end: '2026-12-27T08:00:00.000Z',
    created_at: first.created_at,
    updated_at: first.created_at,
    organization_user: { id: ids[0], name: 'ada the First', email: 'ada@example.com' },
  });
  assert.equal(second.organization_user_id, ids[1]);
  assert.equal(second.time_range_end, '2027-01-01T00:00:00.000Z');
  assert.equal(second.name, '');
}

test('every documented curl command previews the file, and saves it with commit=save', async (t) => {
  const { acme, ada, grace, key } = await uploads.acme();
  const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
  const ways: Record<string, { file: string[]; save: string[] }> = {
    multipart: { file: ['-F', 'file=@absences.csv'], save: ['-F', 'commit=save'] },
    'multipart under a urlencoded content type': {
      file: ['-H', urlencoded, '-F', 'file=@absences.csv;type=text/csv'],
      save: ['-F', 'commit=save'],
    },
    urlencoded: { file: ['--data-urlencode', 'file@absences.csv'], save: ['-d', 'commit=save'] },
    'a text field': { file: ['-F', 'file=<absences.csv'], save: ['-F', 'commit=save'] },
    chunked: {
      file: ['-H', 'Transfer-Encoding: chunked', '-F', 'file=@absences.csv'],
      save: ['-F', 'commit=save'],
    },
  };
  for (const [way, { file, save }] of Object.entries(ways)) {
    await uploads.db.deleteFrom('availabilities').where('organization_id', '=', acme).execute();
    const call = (args: string[], query = '') =>
      curl(t, CSV, ['-H', `Authorization: Bearer ${key}`, ...args, uploads.url + query]);

    const preview = await call(file);
    assert.equal(preview.status, 200, way);
    assert.deepEqual(preview.json, {
      ok: true,
      message: '2 records are previewed and nothing was saved; pass commit=save to make it real.',
      availabilities: [
        {
          name: 'Christmas',
          time_range_start: '2026-12-24T07:00:00.000Z',
          time_range_end: '2026-12-27T08:00:00.000Z',
          organization_user: { id: ada, username: 'ada', email: 'ada@example.com' },
        },
        {
          name: '',
          time_range_start: '2026-12-31T00:00:00.000Z',
          time_range_end: '2027-01-01T00:00:00.000Z',
          organization_user: { id: grace, username: 'grace', email: 'grace@example.com' },
        },
      ],
    });
    assert.equal(await uploads.count(acme), 0, way);

    const saved = await call([...save, ...file]);
    assertSaved(saved, [ada, grace]);
    assert.equal(saved.json.message, '2 records were created.');
    assert.equal(await uploads.count(acme), 2, way);

    const again = await call([...file, ...save]);
    assert.deepEqual(again.json.availabilities, saved.json.availabilities, way);
    assert.equal(again.json.message, '0 records were created; 2 had been saved before and stay as they are.');
    const byQuery = await call(file, '?commit=save');
    assert.deepEqual(byQuery.json, again.json, way);
    assert.equal(await uploads.count(acme), 2, way);
  }
});

test('both forms of the Authorization header work, and no others', async () => {
  const { acme, ada, key } = await uploads.acme();
  for (const header of [`Bearer ${key}`, `bearer ${key}`, `Token token="${key}"`, `Token token=${key}`])
    assert.equal((await uploads.send('', CSV, { headers: { authorization: header } })).status, 200, header);
  for (const header of ['', 'Bearer nonsense', `Basic ${key}`]) {
    const { status, json, headers } = await uploads.send('', CSV, { headers: { authorization: header } });
    assert.equal(status, 401, header);
    assert.equal(json.error, 'Unauthorized');
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="tocsin"');
  }
  const pagesOnly = await uploads.key(acme, ada, ['pages']);
  assert.equal((await uploads.send(pagesOnly, CSV)).status, 403);
  const right = await uploads.key(acme, ada, ['availabilities']);
  assert.equal((await uploads.send(right, CSV)).status, 200);
});

test('a misspelt query parameter is named', async () => {
  const { acme, key } = await uploads.acme();
  const body = new FormData();
  body.set('file', new Blob([CSV]), 'absences.csv');
  const answer = await fetch(`${uploads.url}?comit=save`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(((await answer.json()) as { warnings: string[] }).warnings, [
    '"comit" is not a field of this request and was ignored; did you mean commit?',
  ]);
  assert.equal(await uploads.count(acme), 0);
});

test('commit with any other value saves nothing and reports that', async () => {
  const { acme, key } = await uploads.acme();
  const { status, json } = await uploads.send(key, CSV, { commit: 'true' });
  assert.equal(status, 200);
  assert.deepEqual(json.warnings, ['commit is "true", which saves nothing; pass commit=save to save']);
  assert.match(json.message, /previewed and nothing was saved/);
  assert.equal(await uploads.count(acme), 0);
  assert.equal((await uploads.send(key, CSV, { commit: '' })).json.warnings, undefined);
});

test('24:00 ends a day, and a short row names each of its problems', async () => {
  const { key } = await uploads.acme();
  const midnight = `${HEADER}ada@example.com,2026-12-30T24:00:00Z,2026-12-31T24:00+01:00,\n`;
  const { status, json } = await uploads.send(key, midnight);
  assert.equal(status, 200);
  const [first] = json.availabilities;
  assert.deepEqual(
    [first.time_range_start, first.time_range_end],
    ['2026-12-31T00:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  );
  for (const late of ['24:00:00.001Z', '24:30Z']) {
    const refused = await uploads.send(key, `${HEADER}ada@example.com,2026-12-30T${late},,\n`);
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.json.details.map(({ field }: { field: string }) => field),
      ['row 2, start_time'],
    );
  }
  const short = await uploads.send(key, `${HEADER},soon,later\n`);
  assert.equal(short.status, 400);
  assert.deepEqual(
    short.json.details.map(({ field }: { field: string }) => field),
    ['row 2', 'row 2, email', 'row 2, start_time', 'row 2, end_time'],
  );
});

test('rows keep their order, equal rows are one record, and names are stored unchanged', async () => {
  const { acme, ada, grace, key } = await uploads.acme();
  const names = [
    '=cmd|calc!A0',
    "Robert'); drop table availabilities;--",
    '{"a":1}',
    '  blanks ',
    'a,b\r\nc',
    '\\x00',
    '{}',
  ];
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = names.flatMap((name) => [
    `grace@example.com,2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,${cell(name)}\n`,
    `ada@example.com,2026-02-01T00:00:00Z,2026-02-02T00:00:00Z,${cell(name)}\n`,
    `GRACE@example.com,2026-03-01T01:00:00+01:00,,${cell(name)}\n`,
  ]);
  const { status, json } = await uploads.send(key, HEADER + rows.join(''), { commit: 'save' });
  assert.equal(status, 200);
  assert.equal(json.message, '14 records were created.');
  const wanted = names.flatMap((name) => [
    [grace, name],
    [ada, name],
    [grace, name],
  ]);
  type Saved = { id: string; organization_user_id: string; name: string };
  assert.deepEqual(
    json.availabilities.map((one: Saved) => [one.organization_user_id, one.name]),
    wanted,
  );
  for (let index = 0; index < json.availabilities.length; index += 3)
    assert.equal(json.availabilities[index].id, json.availabilities[index + 2].id);
  const stored = await uploads.db
    .selectFrom('availabilities')
    .select(['user_id', 'name'])
    .where('organization_id', '=', acme)
    .execute();
  assert.deepEqual(new Set(stored.map((row) => row.name)), new Set(names));
  assert.equal(stored.length, 14);
});

test('existing records among new ones are returned unchanged', async () => {
  const { acme, key } = await uploads.acme();
  const first = await uploads.send(key, CSV, { commit: 'save' });
  const more = `${CSV}ada@example.com,2026-05-01T00:00:00Z,,May\n`;
  const second = await uploads.send(key, more, { commit: 'save' });
  assert.equal(second.json.message, '1 record was created; 2 had been saved before and stay as they are.');
  assert.deepEqual(second.json.availabilities.slice(0, 2), first.json.availabilities);
  assert.equal(await uploads.count(acme), 3);
});

test('a file without rows is accepted', async () => {
  const { key } = await uploads.acme();
  const { status, json } = await uploads.send(key, HEADER, { commit: 'save' });
  assert.equal(status, 200);
  assert.deepEqual(json, { ok: true, message: '0 records were created.', availabilities: [] });
});

test('the uploader is recorded if something was created', async () => {
  const { acme, ada, grace, key } = await uploads.acme();
  for (const commit of ['', 'save', 'save']) await uploads.send(key, CSV, { commit });
  const audit = await uploads.db
    .selectFrom('audit_log')
    .select(['user_id', 'action', 'data'])
    .where('organization_id', '=', acme)
    .execute();
  const data = { created: 2, people_total: 2, people: { [ada]: 1, [grace]: 1 } };
  assert.deepEqual(audit, [{ user_id: ada, action: 'availabilities.uploaded', data }]);
});

test('simultaneous uploads of the same rows save each of them once', async () => {
  const { acme, key } = await uploads.acme();
  const rows = Array.from(
    { length: 1_500 },
    (_, index) => `ada@example.com,${new Date(1.8e12 + index * 3.6e6).toISOString()},,${index}\n`,
  );
  const files = [rows, rows.toReversed(), rows, rows.toReversed()];
  const answers = await Promise.all(
    files.map((lines) => uploads.send(key, HEADER + lines.join(''), { commit: 'save' })),
  );
  for (const answer of answers) assert.equal(answer.status, 200);
  assert.equal(await uploads.count(acme), 1_500);
  const [forwards, backwards] = answers.map((answer) =>
    answer.json.availabilities.map((one: { id: string }) => one.id),
  );
  assert.deepEqual(forwards, backwards.toReversed());
});
