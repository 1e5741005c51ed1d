import { nearest } from '../../apply/file/near.ts';
import { isId } from '../../kit/typeid.ts';
import { Refusal } from '../refusal.ts';
import type { Remote } from './client.ts';

/** A schedule as the API lists it. */
export type ListedSchedule = {
  id: string;
  name: string;
  enabled: boolean;
  description: string | null;
  backstop: { id: string; name: string; email: string } | null;
};

export type OnCallEntry = {
  schedule_id: string;
  stage: number;
  start_time: string;
  end_time: string;
  user: {
    name: string;
    email: string;
    contact_methods: { type: string; value: string; chat_user_id?: string | null }[];
  };
};

const PER_PAGE = 100;
/** Protects against a server that always reports another page. */
const MAX_PAGES = 1_000;

/** All schedules, or those with exactly this name. */
export async function listSchedules(remote: Remote, name: string | null): Promise<ListedSchedule[]> {
  const filter: Record<string, string> = name === null ? {} : { name_eq: name };
  return everyPage<ListedSchedule>(remote, '/schedules', filter, 'results');
}

/** Who is on call at a time, ordered by time and stage. */
export async function onCallsAt(
  remote: Remote,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<OnCallEntry[]> {
  // The shortest possible range, because shifts begin and end at whole milliseconds.
  const range = { 'time_range[start]': String(at), 'time_range[end]': String(at.add({ milliseconds: 1 })) };
  return everyPage<OnCallEntry>(
    remote,
    `/schedules/${encodeURIComponent(scheduleId)}/oncalls`,
    range,
    'oncalls',
  );
}

async function everyPage<T>(
  remote: Remote,
  path: string,
  query: Record<string, string>,
  field: string,
): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const search = new URLSearchParams({ ...query, page: String(page), per_page: String(PER_PAGE) });
    const answer = await remote.get(`${path}?${search}`);
    found.push(...((answer[field] ?? []) as T[]));
    if (answer.has_more !== true) break;
  }
  return found;
}

/** The id of a schedule that is given by its name or its id. */
export async function findScheduleId(remote: Remote, nameOrId: string): Promise<string> {
  if (isId('schedule', nameOrId)) return nameOrId;
  const [exact] = await listSchedules(remote, nameOrId);
  if (exact) return exact.id;
  const all = await listSchedules(remote, null);
  const sameLetters = all.filter(({ name }) => name.toLowerCase() === nameOrId.toLowerCase());
  if (sameLetters.length === 1 && sameLetters[0]) return sameLetters[0].id;
  throw new Refusal(`There is no schedule ${JSON.stringify(nameOrId)}; ${hint(nameOrId, all)}`);
}

function hint(name: string, all: readonly ListedSchedule[]): string {
  const names = all.map((schedule) => schedule.name);
  const near = nearest(name, names);
  if (near !== null) return `did you mean ${JSON.stringify(near)}?`;
  return names.length > 0 ? `there are ${names.slice(0, 20).join(', ')}` : 'there are none yet';
}
