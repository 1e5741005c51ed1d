import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { Credential } from '../keys/key.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { type AuditEntry, recordAudit } from '../people/store.ts';
import type { Idempotency } from '../requests/idempotency.ts';
import { claimKey, type FirstAnswer, keepAnswer } from '../requests/store.ts';
import { roleOf } from '../sessions/store.ts';
import {
  type Answer,
  andMore,
  countRecords,
  type MatchedRow,
  previewed,
  saved,
  unmatched,
  wrongRows,
} from './answer.ts';
import { type Conflicts, conflictsOf } from './conflicts.ts';
import type { CsvReading } from './csv.ts';
import { maySpeakFor } from './policy.ts';
import type { AvailabilityRow, SavedAvailabilityRow } from './record.ts';
import { isAbsence, type ReadRow } from './row.ts';
import { saveRows } from './save-rows.ts';
import { type FoundPerson, findPeople } from './store.ts';

export type Upload = {
  credential: Credential;
  /** False only previews what would be created. */
  saving: boolean;
  reading: CsvReading;
  warnings: readonly string[];
  idempotency: Idempotency | null;
  /** Aborted when the client disconnects; nothing is saved then. */
  signal: AbortSignal;
};

/**
 * Saves or previews the rows of an upload in one transaction, all or none. With an idempotency key, the answer of a
 * successful run is stored and returned again; a refused run stores nothing and may be sent again. `at`: the time at
 * which the work began.
 */
export async function runUpload(db: Database, at: Temporal.Instant, upload: Upload): Promise<Answer> {
  if (upload.reading.problems.count > 0) return refuseRows(db, upload);
  try {
    return await db.transaction().execute((tx) => onlyOnce(tx, at, upload));
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** Rolls back the transaction, including the claimed idempotency key. */
class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the upload is refused');
    this.answer = answer;
  }
}

async function refuseRows(db: Database, { credential, reading }: Upload): Promise<Answer> {
  const people = await peopleOf(db, credential, reading.rows);
  const strangers = strangersIn(reading.rows, people);
  for (const { row, email } of strangers)
    reading.problems.addToRow(
      row,
      'email',
      t('is {email}, which belongs to no user; add the user first, or correct the address', {
        email: JSON.stringify(email.slice(0, 80)),
      }),
    );
  return wrongRows(reading.rows, reading.problems, strangers);
}

async function onlyOnce(tx: Tx, at: Temporal.Instant, upload: Upload): Promise<Answer> {
  const { credential, idempotency } = upload;
  if (!idempotency) return whileWanted(upload.signal, perform(tx, at, upload));
  const owner = { credential: credential.keyId, organizationId: credential.organizationId };
  const first = await claimKey(tx, at, owner, idempotency);
  if (first) return replay(first);
  const answer = await whileWanted(upload.signal, perform(tx, at, upload));
  await keepAnswer(tx, owner, idempotency, { status: answer.status, answer: await zip(answer) });
  return answer;
}

/** Rolls back the transaction if the client has disconnected. */
async function whileWanted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const result = await work;
  signal.throwIfAborted();
  return result;
}

async function perform(tx: Tx, at: Temporal.Instant, upload: Upload): Promise<Answer> {
  const { credential, reading, warnings, signal } = upload;
  const people = await peopleOf(tx, credential, reading.rows);
  const strangers = strangersIn(reading.rows, people);
  if (strangers.length > 0) throw new Refusal(unmatched(reading.rows, strangers));
  await refuseOthers(tx, credential, people);
  signal.throwIfAborted();
  // Give other work a turn: each of these steps goes over up to a hundred thousand rows.
  await nextTurn();
  const rows = reading.rows.filter(isAbsence).flatMap((row) => {
    const person = people.get(row.email);
    return person ? [{ row, person }] : [];
  });
  await nextTurn();
  const conflicts = await conflictsOf(tx, credential.organizationId, at, rows);
  signal.throwIfAborted();
  return upload.saving ? save(tx, at, upload, rows, conflicts) : previewed(rows, conflicts, warnings);
}

async function save(
  tx: Tx,
  at: Temporal.Instant,
  { credential, warnings, signal }: Upload,
  rows: readonly MatchedRow[],
  conflicts: Conflicts,
): Promise<Answer> {
  const records = await saveRows(tx, at, credential.organizationId, rows.map(availabilityOf), signal);
  const counts = countRecords(records);
  if (counts.created > 0) await audit(tx, at, credential, whoseAreNew(rows, records));
  const savedRows = rows.map((matched, index) => ({
    ...matched,
    record: records[index] as SavedAvailabilityRow,
  }));
  return saved(savedRows, counts, conflicts, warnings);
}

function availabilityOf({ row, person }: MatchedRow): AvailabilityRow {
  const { name, startsAt, endsAt } = row;
  return { userId: person.id, type: 'hard_unavailable', name, startsAt, endsAt };
}

/** The number of new records by person. Equal rows are one record. */
function whoseAreNew(
  rows: readonly MatchedRow[],
  records: readonly SavedAvailabilityRow[],
): Map<string, number> {
  const counted = new Set<string>();
  const created = new Map<string, number>();
  for (const [index, { person }] of rows.entries()) {
    const record = records[index];
    if (!record?.created || counted.has(record.id)) continue;
    counted.add(record.id);
    created.set(person.id, (created.get(person.id) ?? 0) + 1);
  }
  return created;
}

/** An entry of the audit log names at most this many people; a larger upload records only their number. */
const MOST_AUDITED = 500;

async function audit(
  tx: Tx,
  at: Temporal.Instant,
  credential: Credential,
  created: ReadonlyMap<string, number>,
): Promise<void> {
  const people = Object.fromEntries([...created].slice(0, MOST_AUDITED));
  const all = [...created.values()].reduce((sum, count) => sum + count, 0);
  const data = { created: all, people_total: created.size, people };
  const entry: AuditEntry = { action: 'availabilities.uploaded', subject: credential.keyId, data };
  await recordAudit(tx, at, credential.organizationId, credential.userId, [entry]);
}

/** A refusal names at most this many people. */
const MOST_NAMED = 5;

/**
 * Uploading requires the same permission as entering each absence by hand.
 * @throws Fault 403 with the people whose absences the uploader may not enter
 */
async function refuseOthers(
  tx: Tx,
  { organizationId, userId }: Credential,
  people: ReadonlyMap<string, FoundPerson>,
): Promise<void> {
  const role = await roleOf(tx, organizationId, userId);
  const others = new Set(
    [...people.values()]
      .filter(({ relation }) => role === null || !maySpeakFor(role, relation))
      .map(({ email }) => email),
  );
  if (others.size === 0) return;
  const named = [...others].slice(0, MOST_NAMED);
  throw new Fault('forbidden', [
    {
      field: 'email',
      message: t(
        'names people whose absences you may not upload, and nothing was saved: {people}; upload your own and those of teams that you manage, or use the key of an admin',
        { people: andMore(named, others.size - named.length) },
      ),
    },
  ]);
}

function peopleOf(
  db: Handle,
  uploader: Credential,
  rows: readonly ReadRow[],
): Promise<Map<string, FoundPerson>> {
  const emails = new Set(rows.map((row) => row.email).filter((email) => !email.includes('\0')));
  return findPeople(db, uploader, [...emails]);
}

/** The first row of each email that belongs to nobody. Empty emails are reported as another problem. */
function strangersIn(rows: readonly ReadRow[], people: ReadonlyMap<string, FoundPerson>): ReadRow[] {
  const strangers = new Map<string, ReadRow>();
  for (const row of rows) {
    const name = row.email.toLowerCase();
    if (row.email !== '' && !people.has(row.email) && !strangers.has(name)) strangers.set(name, row);
  }
  return [...strangers.values()];
}

/** Compressed for storage, which works well because the records are similar. */
async function zip(answer: Answer): Promise<Buffer> {
  const body = answer.body();
  const zipping = createGzip({ level: 1 });
  const [zipped] = await Promise.all([
    buffer(zipping),
    pipeline(body instanceof Readable ? body : [body], zipping),
  ]);
  return zipped;
}

/** Returns the stored bytes of the first answer. */
async function replay({ status, answer }: FirstAnswer): Promise<Answer> {
  const body = await promisify<Buffer, Buffer>(gunzip)(answer);
  return { status, body: () => body };
}
