import { queryOptions } from '@tanstack/react-query';
import { ACTIVE_WINDOWS } from '../../../src/http/first-answers-contract.ts';
import type { BodyOf } from '../../../src/kit/endpoint-contract.ts';
import { type WindowShown, windowsApi } from '../../../src/sources/windows-api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

/** Windows begin and end without an event, so they are read again from time to time. */
const OFTEN_MS = 30_000;

/** The windows and silences of all teams that hold or record now. */
export const activeWindowsQuery = queryOptions({
  queryKey: ['windows', 'active'],
  queryFn: () => send(windowsApi.list, { query: ACTIVE_WINDOWS }),
  ...firstAnswer(windowsApi.list, { query: ACTIVE_WINDOWS }),
  refetchInterval: OFTEN_MS,
});

/** Those of one team, by its slug: now and coming, or ended. */
export const teamWindowsQuery = (team: string, ended: boolean) =>
  queryOptions({
    queryKey: ['windows', 'team', team, ended],
    queryFn: () => send(windowsApi.list, { query: { team, ...(ended ? { state: 'over' } : {}) } }),
    refetchInterval: OFTEN_MS,
  });

export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: ['windows', 'one', id],
    queryFn: () => send(windowsApi.show, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'over' ? false : OFTEN_MS),
  });

export type NewWindow = BodyOf<typeof windowsApi.create>;

/** What a window would do; an error says why it cannot be made. */
export const previewQuery = (wanted: NewWindow) =>
  queryOptions({
    queryKey: ['window-preview', wanted],
    queryFn: () => send(windowsApi.preview, { body: wanted }),
    retry: false,
    placeholderData: (before) => before,
  });

export const endWindow = ({ id }: Pick<WindowShown, 'id'>) => send(windowsApi.end, { params: { id } });
