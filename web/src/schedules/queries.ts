import { queryOptions } from '@tanstack/react-query';
import { coversApi, overridesApi, shiftsApi } from '../../../src/covers/api-contract.ts';
import { plansApi } from '../../../src/planning/plan-api-contract.ts';
import { schedulesApi } from '../../../src/schedules/settings-contract.ts';
import { timelineApi } from '../../../src/schedules/timeline-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

/** A visible time span, in epoch milliseconds. */
export type Span = { from: number; to: number };

const REFRESH_MS = 60_000;
/** Polling interval while the solver runs, which reports its progress. */
const WHILE_SOLVING_MS = 700;

const rangeOf = ({ from, to }: Span) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

export const schedulesQuery = queryOptions({
  queryKey: ['schedules', 'list'],
  queryFn: () => send(schedulesApi.list),
  ...firstAnswer(schedulesApi.list),
  refetchInterval: REFRESH_MS,
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id],
    queryFn: () => send(schedulesApi.find, { params: { id } }),
    ...firstAnswer(schedulesApi.find, { params: { id } }),
  });

export const timelineQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'shifts', span.from, span.to],
    queryFn: () => send(timelineApi.ofSchedule, { params: { id }, query: rangeOf(span) }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });

/** The start of a shift that is not in the loaded timeline. */
export const shiftTimeQuery = (scheduleId: string, shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', scheduleId, 'shift', shiftId],
    queryFn: () => send(timelineApi.startOfShift, { params: { id: scheduleId, shiftId } }),
    retry: false,
  });

export const uncoveredQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'uncovered', span.from, span.to],
    queryFn: () => send(timelineApi.uncovered, { params: { id }, query: rangeOf(span) }),
    placeholderData: (before) => before,
  });

/** Open covers within the visible span. */
export const coversQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'covers', span.from, span.to],
    queryFn: () =>
      send(coversApi.ofSchedule, {
        params: { id },
        query: { ...rangeOf(span), state: ['open', 'proposed'] },
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });

/** Overrides within the visible span. */
export const overridesQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'overrides', span.from, span.to],
    queryFn: () => send(overridesApi.list, { params: { id }, query: rangeOf(span) }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id, 'plan'],
    queryFn: () => send(plansApi.inForce, { params: { id } }),
    ...firstAnswer(plansApi.inForce, { params: { id } }),
  });

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id, 'draft'],
    queryFn: () => send(plansApi.draft, { params: { id } }),
    ...firstAnswer(plansApi.draft, { params: { id } }),
    refetchInterval: ({ state }) =>
      ['waiting', 'solving'].includes(state.data?.draft?.state ?? '') ? WHILE_SOLVING_MS : REFRESH_MS,
  });

export const reasonQuery = (shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', 'reason', shiftId],
    queryFn: () => send(plansApi.reason, { params: { id: shiftId } }),
  });

export const candidatesQuery = (shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', 'candidates', shiftId],
    queryFn: () => send(shiftsApi.candidates, { params: { id: shiftId } }),
  });

/** One person's shifts in all schedules; null is the viewer. */
export const personShiftsQuery = (person: string | null, span: Span) =>
  queryOptions({
    queryKey: ['schedules', 'of-person', person, span.from, span.to],
    queryFn: () =>
      send(timelineApi.ofPerson, { query: { ...rangeOf(span), ...(person === null ? {} : { person }) } }),
    placeholderData: (before, query) => (query?.queryKey[2] === person ? before : undefined),
  });
