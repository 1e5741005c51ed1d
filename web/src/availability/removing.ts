import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { RecordShown } from '../../../src/availability/api-contract.ts';
import { recordsApi } from '../../../src/availability/api-contract.ts';
import { send } from '../api/call.ts';
import { showUndo } from '../kit/undo.tsx';

/** Rooms whose data depends on availability; they are refreshed. */
const ROOMS = ['availabilities', 'availability-sources', 'schedules', 'covers', 'on-call'];

export function useRecordsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => readAnew(client);
}

async function readAnew(client: QueryClient): Promise<void> {
  await Promise.all(ROOMS.map((room) => client.invalidateQueries({ queryKey: [room] })));
}

/** Removes a record, and offers to undo it. */
export async function removeRecord(client: QueryClient, record: RecordShown): Promise<void> {
  await send(recordsApi.remove, { params: { id: record.id } });
  const { person, type, name, starts_at, ends_at } = record;
  showUndo('Removed.', async () => {
    await send(recordsApi.create, { body: { person: person.id, type, name, starts_at, ends_at } });
    await readAnew(client);
  });
  await readAnew(client);
}
