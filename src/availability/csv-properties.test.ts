import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { readCsv } from './csv.ts';
import { Unreadable } from './unreadable.ts';

const HEADER = 'email,start_time,end_time,name\n';

async function read(text: string) {
  const { rows, problems } = await readCsv(Buffer.from(text));
  return { rows, details: problems.details(), count: problems.count };
}

const moment = fc
  .integer({ min: Date.parse('0001-01-02T00:00:00Z'), max: Date.parse('9999-12-01T00:00:00Z') })
  .map((ms) => new Date(ms).toISOString());
const name = fc.string({ unit: CODE_POINT, maxLength: 30 }).filter((text) => !/\0|\p{Surrogate}/u.test(text));
const absence = fc.record({
  email: name.map((text) => `${text.trim()}@example.com`.trim()),
  name: fc.oneof(name, fc.constantFrom('"', '""', ',', '\r\n', '=cmd()', "Robert'); drop table users;--")),
  startsAt: moment,
  length: fc.integer({ min: 1, max: 20 * 24 * 60 * 60 * 1_000 }),
});

test('any CSV is read back unchanged, however it was quoted and terminated', async () => {
  const files = fc.record({
    absences: fc.array(absence, { maxLength: 20 }),
    order: fc.shuffledSubarray(['email', 'start_time', 'end_time', 'name', 'notes'], {
      minLength: 5,
      maxLength: 5,
    }),
    ends: fc.infiniteStream(fc.constantFrom('\n', '\r\n', '\r')),
    quoting: fc.infiniteStream(fc.boolean()),
    mark: fc.constantFrom('', '\uFEFF'),
    upper: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(files, async ({ absences, order, ends, quoting, mark, upper }) => {
      const cell = (text: string) =>
        quoting.next().value || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const line = (cells: Record<string, string>) =>
        order.map((column) => cell(cells[column] ?? '')).join(',') + ends.next().value;
      const wanted = absences.map(({ length, ...one }, index) => ({
        row: index + 2,
        ...one,
        endsAt: new Date(Date.parse(one.startsAt) + length).toISOString(),
      }));
      const header = line(
        Object.fromEntries(order.map((column) => [column, upper ? column.toUpperCase() : column])),
      );
      const body = wanted.map((one) =>
        line({
          email: one.email,
          start_time: one.startsAt,
          end_time: one.endsAt,
          name: one.name,
          notes: one.name,
        }),
      );
      const { rows, details } = await read(mark + header + body.join(''));
      assert.deepEqual(details, []);
      assert.deepEqual(rows, wanted);
    }),
    { numRuns: 300 },
  );
});

test('a file much longer than one slice is read the same, wherever the slices are cut', async () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `Jörg 🏖 "${index}"\r\nÄrger`);
  const body = names.map(
    (label) => `j@example.com,2026-01-01T00:00:00Z,,"${label.replaceAll('"', '""')}"\r\n`,
  );
  for (let padding = 0; padding < 8; padding++) {
    const { rows, count } = await read(
      `${' '.repeat(padding)}email,start_time,end_time,name\r\n${body.join('')}`,
    );
    assert.equal(count, 0);
    assert.deepEqual(
      rows.map((row) => row.name),
      names,
    );
  }
});

test('bytes changed at random are either refused or read as whole rows', async () => {
  const good = Buffer.from(
    `\uFEFF${HEADER}ada@example.com,2026-01-01T00:00:00Z,2026-01-03T00:00:00Z,"Jörg's ""day"""\r\nbob@example.com,2026-01-01T00:00:00+02:00,,\n`,
  );
  const change = fc.record({
    at: fc.nat({ max: good.length }),
    remove: fc.nat({ max: 5 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc.constantFrom('"', ',', '\r', '\n', '\0').map((text) => Buffer.from(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      let bytes = good;
      for (const { at, remove, insert } of changes)
        bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
      const reading = await readCsv(bytes).catch((error) => {
        assert.ok(error instanceof Unreadable, String(error));
        return null;
      });
      if (!reading || reading.problems.count > 0) return;
      for (const row of reading.rows) {
        assert.ok(row.email !== '' && row.startsAt !== null && row.endsAt !== null);
        assert.ok(row.endsAt > row.startsAt);
      }
    }),
    { numRuns: 1_000 },
  );
});
