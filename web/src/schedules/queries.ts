import { queryOptions } from '@tanstack/react-query';
import type { UncoveredTimes } from '../../../src/calendars/api-contract.ts';
import type { Candidates, CoverList } from '../../../src/covers/api-contract.ts';
import type { DraftAnswer, PlanAnswer, ReasonAnswer } from '../../../src/planning/plan-api-contract.ts';
import type { ScheduleOverview, ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import type { PersonShifts, ScheduleTimeline, ShiftTime } from '../../../src/schedules/timeline-contract.ts';
import { call } from '../api/call.ts';

/** A visible time span, in epoch milliseconds. */
export type Span = { from: number; to: number };

const REFRESH_MS = 60_000;
/** Polling interval while the solver runs, which reports its progress. */
const WHILE_SOLVING_MS = 700;

const pathOf = (id: string) => `/api/schedules/${encodeURIComponent(id)}`;
const rangeOf = ({ from, to }: Span) =>
  `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;

export const schedulesQuery = queryOptions({
  queryKey: ['schedules', 'list'],
  queryFn: () => call<ScheduleOverview>('GET', '/api/schedules'),
  refetchInterval: REFRESH_MS,
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id],
    queryFn: () => call<ScheduleSettings>('GET', pathOf(id)),
  });

export const timelineQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'shifts', span.from, span.to],
    queryFn: () => call<ScheduleTimeline>('GET', `${pathOf(id)}/shifts?${rangeOf(span)}`),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });

/** The start of a shift that is not in the loaded timeline. */
export const shiftTimeQuery = (scheduleId: string, shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', scheduleId, 'shift', shiftId],
    queryFn: () => call<ShiftTime>('GET', `${pathOf(scheduleId)}/shifts/${encodeURIComponent(shiftId)}`),
    retry: false,
  });

export const uncoveredQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'uncovered', span.from, span.to],
    queryFn: () => call<UncoveredTimes>('GET', `${pathOf(id)}/uncovered?${rangeOf(span)}`),
    placeholderData: (before) => before,
  });

/** Open covers within the visible span. */
export const coversQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['schedules', id, 'covers', span.from, span.to],
    queryFn: () => call<CoverList>('GET', `${pathOf(id)}/covers?${rangeOf(span)}&state=open&state=proposed`),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id, 'plan'],
    queryFn: () => call<PlanAnswer>('GET', `${pathOf(id)}/plan`),
  });

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id, 'draft'],
    queryFn: () => call<DraftAnswer>('GET', `${pathOf(id)}/plan/draft`),
    refetchInterval: ({ state }) =>
      ['waiting', 'solving'].includes(state.data?.draft?.state ?? '') ? WHILE_SOLVING_MS : REFRESH_MS,
  });

export const reasonQuery = (shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', 'reason', shiftId],
    queryFn: () => call<ReasonAnswer>('GET', `/api/shifts/${encodeURIComponent(shiftId)}/reason`),
  });

export const candidatesQuery = (shiftId: string) =>
  queryOptions({
    queryKey: ['schedules', 'candidates', shiftId],
    queryFn: () => call<Candidates>('GET', `/api/shifts/${encodeURIComponent(shiftId)}/candidates`),
  });

/** One person's shifts in all schedules; null is the viewer. */
export const personShiftsQuery = (person: string | null, span: Span) =>
  queryOptions({
    queryKey: ['schedules', 'of-person', person, span.from, span.to],
    queryFn: () =>
      call<PersonShifts>(
        'GET',
        `/api/shifts?${rangeOf(span)}${person === null ? '' : `&person=${encodeURIComponent(person)}`}`,
      ),
    placeholderData: (before) => before,
  });
