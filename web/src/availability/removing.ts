import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { NewRecordBody, RecordShown } from '../../../src/availability/api-contract.ts';
import { recordsApi } from '../../../src/availability/api-contract.ts';
import { send } from '../api/call.ts';
import { showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';
import { t } from '../language/t.ts';

/** Rooms whose data depends on availability; they are refreshed. */
const ROOMS = ['availabilities', 'availability-sources', 'schedules', 'covers', 'on-call'];

export function useRecordsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => readAnew(client);
}

async function readAnew(client: QueryClient): Promise<void> {
  await Promise.all(ROOMS.map((room) => client.invalidateQueries({ queryKey: [room] })));
}

/** Removes a record, or every time of one that repeats, and offers to undo it. */
export async function removeRecord(
  client: QueryClient,
  record: RecordShown,
  which: 'one' | 'all',
): Promise<void> {
  const all = which === 'all' && record.repeats !== null;
  await send(recordsApi.remove, { params: { id: record.id }, query: all ? { series: true } : {} });
  // It cannot be entered again with its label, which the viewer does not see.
  if (record.name_hidden) showToast(t('Removed.'));
  else
    showUndo(t('Removed.'), async () => {
      await send(recordsApi.create, { body: all ? seriesBody(record) : bodyOf(record) });
      await readAnew(client);
    });
  await readAnew(client);
}

function bodyOf(record: RecordShown): NewRecordBody {
  const { person, type, name, starts_at, ends_at } = record;
  return { person: person.id, type, name, starts_at, ends_at, private: record.private };
}

function seriesBody(record: RecordShown): NewRecordBody {
  const { repeats } = record;
  if (!repeats) return bodyOf(record);
  const { rrule, zone, starts_at, ends_at, until } = repeats;
  const end = until === null ? {} : { repeats_until: until };
  return { ...bodyOf(record), starts_at, ends_at, rrule, zone, ...end };
}
