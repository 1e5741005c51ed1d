import { queryOptions } from '@tanstack/react-query';
import { handoffsApi } from '../../../src/handoffs/api-contract.ts';
import { send } from '../api/call.ts';

const REFRESH_MS = 60_000;

export const nextHandoffQuery = (scheduleId: string) =>
  queryOptions({
    queryKey: ['schedules', scheduleId, 'handoff'],
    queryFn: () => send(handoffsApi.next, { params: { id: scheduleId } }),
    refetchInterval: REFRESH_MS,
  });

export const handoffNotesQuery = (scheduleId: string) =>
  queryOptions({
    queryKey: ['schedules', scheduleId, 'handoffs'],
    queryFn: () => send(handoffsApi.list, { params: { id: scheduleId } }),
    refetchInterval: REFRESH_MS,
  });

export const handoffNoteQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'handoff', id],
    queryFn: () => send(handoffsApi.show, { params: { id } }),
  });
