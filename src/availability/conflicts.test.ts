import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startUploads, type Uploads } from '../../testing/uploads.ts';

const HEADER = 'email,start_time,end_time,name\n';

/** A schedule whose people take turns of one day each, from midnight of 1 January 2090 on. */
async function publish({ db }: Uploads, organizationId: string, userIds: string[], days: number) {
  const id = `schedule_${userIds[0]?.slice(-20)}${days}`;
  await sql`insert into teams (id, organization_id, name, slug, created_at, updated_at)
    values (${`team_${id}`}, ${organizationId}, 'SRE', ${id.toLowerCase().replaceAll('_', '-')}, now(), now())`.execute(
    db,
  );
  await sql`insert into schedules (id, organization_id, team_id, name, enabled, time_zone, strategy, pattern, created_at,
      updated_at)
    values (${id}, ${organizationId}, ${`team_${id}`}, 'SRE', true, 'UTC', 'rotation', '{"every":"day"}', now(), now())`.execute(
    db,
  );
  await sql`insert into shifts (id, organization_id, schedule_id, stage, user_id, planned_user_id, starts_at, ends_at,
      created_at, updated_at)
    select 'shift_' || ${id} || n, ${organizationId}, ${id}, 1, (${userIds}::text[])[1 + n % ${userIds.length}],
      (${userIds}::text[])[1 + n % ${userIds.length}], timestamptz '2090-01-01T00:00:00Z' + n * interval '1 day',
      timestamptz '2090-01-02T00:00:00Z' + n * interval '1 day', now(), now()
    from generate_series(0, ${days - 1}) n`.execute(db);
}

test('the preview and the saved upload list the published shifts that the rows conflict with, and change nothing else', async (t) => {
  const uploads = await startUploads(t);
  const { acme, ada, grace, key } = await uploads.acme();
  await publish(uploads, acme, [ada, grace], 10);
  const csv = `${HEADER}grace@example.com,2090-01-01T00:00:00Z,2090-01-01T12:00:00Z,free then
ada@example.com,2090-01-02T12:00:00Z,2090-01-03T00:00:00Z,touches
ada@example.com,2090-01-04T12:00:00Z,2090-01-05T12:00:00Z,hits
`;
  for (const options of [{}, { commit: 'save' }]) {
    const { json } = await uploads.send(key, csv, options);
    assert.equal(json.ok, true);
    assert.equal(json.shifts_total, 1);
    assert.equal(json.availabilities.length, 3);
    const [shift] = json.shifts;
    assert.deepEqual(
      [
        shift.schedule.name,
        shift.stage,
        shift.start_time,
        shift.end_time,
        shift.organization_user.id,
        shift.row,
      ],
      ['SRE', 1, '2090-01-05T00:00:00.000Z', '2090-01-06T00:00:00.000Z', ada, 4],
    );
  }
  const { json } = await uploads.send(key, `${HEADER}grace@example.com,2090-01-01T00:00:00Z,,\n`);
  assert.deepEqual(Object.keys(json), ['ok', 'message', 'availabilities']);
});

test('shifts of other organizations and of disabled schedules are not listed', async (t) => {
  const uploads = await startUploads(t);
  const { acme, ada, key } = await uploads.acme();
  await publish(uploads, acme, [ada], 2);
  await uploads.db.updateTable('schedules').set({ enabled: false }).execute();
  const csv = `${HEADER}ada@example.com,2090-01-01T00:00:00Z,,\n`;
  assert.equal('shifts' in (await uploads.send(key, csv)).json, false);
});

test('conflicts of a hundred thousand rows over years of shifts are counted, and the first thousand listed', async (t) => {
  const uploads = await startUploads(t);
  const acme = await uploads.organization();
  const ids: string[] = [];
  for (let index = 0; index < 50; index++) ids.push(await uploads.person(acme, `person${index}@example.com`));
  const key = await uploads.key(acme, ids[0] ?? '');
  await publish(uploads, acme, ids, 5_000);
  const start = Date.parse('2090-01-01T00:00:00Z');
  const rows = Array.from({ length: 100_000 }, (_, index) => {
    const from = new Date(start + index * 3_600_000).toISOString();
    return `person${index % 50}@example.com,${from},${new Date(start + (index + 1) * 3_600_000).toISOString()},\n`;
  });
  const { json } = await uploads.send(key, HEADER + rows.join(''));
  assert.equal(json.shifts.length, 1_000);
  assert.ok(json.shifts_total > 1_000, String(json.shifts_total));
});
