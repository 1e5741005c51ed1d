import type { Repetition } from '../calendars/repetition.ts';
import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import type { Viewer } from '../sessions/contract.ts';
import { type Series, seriesOf, storedSeries } from './repeats.ts';
import { repeatedAbsences, saveFound } from './sources.ts';
import type { SourceType } from './sources-api-contract.ts';
import {
  countSources,
  deleteSource,
  insertSource,
  lockSource,
  removeRecords,
  type SourceRow,
  updateSource,
} from './sources-store.ts';
import { lockNextOf, type StoredRecord } from './store.ts';

/** Bounds how many records follow the rules of one person. */
const MOST_REPEATING = 20;
const MOST_SKIPPED = 400;

type Place = { tx: Tx; clock: Clock; at: Temporal.Instant; viewer: Viewer };

/**
 * Adds a repeating absence of a person with its records, and returns the next one.
 * @throws Fault `bad_request` if there are too many, or if it has no time within a year that has no equal record
 */
export async function addSeries(
  place: Place,
  said: { userId: string; type: SourceType; name: string; isPrivate: boolean; repetition: Repetition },
): Promise<StoredRecord> {
  const { tx, at, viewer } = place;
  const { userId, type, name: label, isPrivate, repetition } = said;
  if ((await countSources(tx, userId, 'repeating')) >= MOST_REPEATING)
    throw refusal(
      'rrule',
      t('exceeds the limit of {most} repeating entries; remove one first', { most: MOST_REPEATING }),
    );
  const id = newId('availability_source');
  await insertSource(tx, at, {
    ...{ id, organization_id: viewer.organizationId, user_id: userId, created_by: viewer.userId },
    ...{ url_sealed: null, host: null, etag: null, type, events: 'all', words: [] },
    ...storedSeries({ repetition, label, skipped: [] }),
    private: isPrivate,
  });
  return follow(place, id);
}

/**
 * Changes every time of a repeating absence that has not ended, and returns the next one. Removed times stay removed
 * while the rule and its first time are the same. `name` null and `isPrivate` undefined: unchanged.
 */
export async function changeSeries(
  place: Place,
  id: string,
  {
    type,
    name,
    isPrivate,
    repetition,
  }: { type: SourceType; name: string | null; isPrivate: boolean | undefined; repetition: Repetition },
): Promise<StoredRecord> {
  const { tx, at } = place;
  const { series } = await locked(place, id);
  const skipped = haveSameTimes(series.repetition, repetition) ? series.skipped : [];
  const label = name ?? series.label;
  const values = storedSeries({ repetition, label, skipped });
  await updateSource(tx, at, id, {
    ...{ type, ...values },
    ...(isPrivate === undefined ? {} : { private: isPrivate }),
  });
  return follow(place, id);
}

/** Removes one time of a repeating absence. */
export async function skipTime(place: Place, id: string, record: StoredRecord): Promise<void> {
  const { tx, at } = place;
  const { source, series } = await locked(place, id);
  const start = record.startsAt.toString();
  // Past times need no mark, because their records are never written again.
  const coming = series.skipped.filter(
    (one) => Temporal.Instant.compare(one, at.subtract({ hours: 24 * 31 })) > 0,
  );
  if (coming.length >= MOST_SKIPPED)
    throw refusal(
      'record',
      t('is one of more than {most} removed times; remove all of them instead', { most: MOST_SKIPPED }),
    );
  await updateSource(tx, at, id, storedSeries({ ...series, skipped: [...new Set([...coming, start])] }));
  await save(place, source.id);
}

/** Removes every time of a repeating absence that has not ended. */
export async function endSeries({ tx, at }: Place, id: string): Promise<void> {
  await removeRecords(tx, at, id);
  await deleteSource(tx, id);
}

async function locked({ tx, viewer }: Place, id: string): Promise<{ source: SourceRow; series: Series }> {
  const source = await lockSource(tx, viewer.organizationId, id);
  const series = source && seriesOf(source);
  if (!source || !series) throw new Error(`the repeating absence ${id} of a locked record is gone`);
  return { source, series };
}

async function save({ tx, clock, at, viewer }: Place, id: string): Promise<void> {
  const source = await lockSource(tx, viewer.organizationId, id);
  if (source) await saveFound(tx, clock, at, source, await repeatedAbsences(tx, at, source));
}

async function follow(place: Place, id: string): Promise<StoredRecord> {
  await save(place, id);
  const next = await lockNextOf(place.tx, place.at, place.viewer, id);
  if (next) return next;
  const message = t(
    'adds nothing: each of its times within the next year already has an equal record; give other times',
  );
  throw refusal('rrule', message);
}

function haveSameTimes(a: Repetition, b: Repetition): boolean {
  return a.recurrence === b.recurrence && a.zone === b.zone && a.first.startsAt.equals(b.first.startsAt);
}

function refusal(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}
