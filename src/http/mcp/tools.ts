import { type TObject, type TSchema, Type } from 'typebox';
import { coversApi, OfferBody, overridesApi, shiftsApi, TakeBody } from '../../covers/api-contract.ts';
import { type Endpoint, type Method, methodOf, pathOf } from '../../kit/endpoint-contract.ts';
import { pagesApi } from '../../pages/api-contract.ts';
import { composeApi } from '../../pages/compose-api-contract.ts';
import { peopleApi } from '../../people/person-contract.ts';
import { teamsApi } from '../../people/team-api-contract.ts';
import { plansApi } from '../../planning/plan-api-contract.ts';
import { onCallApi } from '../../schedules/api-contract.ts';
import { schedulesApi } from '../../schedules/settings-contract.ts';
import { timelineApi } from '../../schedules/timeline-contract.ts';
import { publish } from '../description.ts';

/**
 * A tool of `/mcp`. It is a route of the dashboard's API: the arguments fill the path, the query and the body, and the
 * result is the answer. Rights, validation and audit log are those of the route.
 */
export type Tool = {
  name: string;
  title: string;
  description: string;
  method: Method;
  /** Such as `/api/pages/:id`. */
  path: string;
  query: TObject | null;
  body: TObject | null;
  /** The meaning of `:id` in the path. */
  id: string | null;
};

type Described = Pick<Tool, 'name' | 'title' | 'description'> & { id?: string };

function tool(about: Described, one: Endpoint): Tool {
  const { query = null, body = null } = one.shapes;
  return {
    ...about,
    method: methodOf(one),
    path: pathOf(one),
    query,
    body: body as TObject | null,
    id: about.id ?? null,
  };
}

const SCHEDULE = 'Id of a schedule, from list_schedules or who_is_on_call.';
const SHIFT = 'Id of a shift, from list_shifts.';
const PAGE = 'Id of a page, from list_pages.';

export const TOOLS: readonly Tool[] = [
  tool(
    {
      name: 'who_is_on_call',
      title: 'Who is on call now',
      description:
        'Shows for each team and schedule who is on call now and next, the backstop, whether anybody can be reached, and the next gap within 14 days. For the reason, find the shift with list_shifts and call explain_shift.',
    },
    onCallApi.now,
  ),
  tool(
    {
      name: 'list_pages',
      title: 'List pages',
      description:
        'Lists pages, the newest first; by default the open ones. A page is a call for help to a team or a person.',
    },
    pagesApi.list,
  ),
  tool(
    {
      name: 'show_page',
      title: 'Show a page and its timeline',
      description:
        'Shows a page with its timeline: who was notified, when, by which channel and why, and what happens next.',
      id: PAGE,
    },
    pagesApi.show,
  ),
  tool({ name: 'list_teams', title: 'List teams', description: 'Lists the teams.' }, teamsApi.list),
  tool(
    { name: 'list_people', title: 'List people', description: 'Lists everybody who can be notified.' },
    peopleApi.list,
  ),
  tool(
    { name: 'list_schedules', title: 'List schedules', description: 'Lists the schedules of all teams.' },
    schedulesApi.list,
  ),
  tool(
    {
      name: 'list_shifts',
      title: 'List the shifts of a schedule',
      description:
        'Shows who is on call in a schedule from one time to another, with overrides. A shift without a person is a gap.',
      id: SCHEDULE,
    },
    timelineApi.ofSchedule,
  ),
  tool(
    {
      name: 'list_coverage_gaps',
      title: 'List coverage gaps',
      description: 'Lists the coming times for which a schedule has nobody on call, each with the reason.',
      id: SCHEDULE,
    },
    plansApi.inForce,
  ),
  tool(
    {
      name: 'list_uncovered_hours',
      title: 'List the hours that no schedule covers',
      description: 'Lists the times at which a schedule has nobody on call by design.',
      id: SCHEDULE,
    },
    timelineApi.uncovered,
  ),
  tool(
    {
      name: 'explain_shift',
      title: 'Explain a shift',
      description: 'Explains why a person has a shift, and why others do not.',
      id: SHIFT,
    },
    plansApi.reason,
  ),
  tool(
    {
      name: 'list_candidates',
      title: 'List who could take a shift',
      description: 'Lists who could take a shift, the most suitable person first, and why others cannot.',
      id: SHIFT,
    },
    shiftsApi.candidates,
  ),
  tool(
    {
      name: 'list_covers',
      title: 'List covers of a schedule',
      description:
        'Lists the shifts of a schedule for which somebody else is needed, with the proposed repair.',
      id: SCHEDULE,
    },
    coversApi.ofSchedule,
  ),
  tool(
    {
      name: 'page',
      title: 'Page a team or a person',
      description:
        'Notifies people until somebody answers, also at night. Use it only if somebody must act now, and show the user the text first.',
    },
    composeApi.raise,
  ),
  tool(
    {
      name: 'acknowledge_page',
      title: 'Acknowledge a page',
      description:
        'Answers a page in the name of the owner of the API key: nobody else is notified, and that person takes care of it.',
      id: PAGE,
    },
    pagesApi.acknowledge,
  ),
  tool(
    {
      name: 'override',
      title: 'Put somebody on call',
      description: 'Puts a person on call in a stage of a schedule for a time, whatever the plan says.',
      id: SCHEDULE,
    },
    overridesApi.create,
  ),
  tool(
    {
      name: 'look_for_cover',
      title: 'Look for a cover of a shift',
      description:
        'Looks for somebody else to take a shift, or a part of it; the most suitable person gets a proposal.',
      id: SHIFT,
    },
    { ...shiftsApi.offer, shapes: { ...shiftsApi.offer.shapes, body: OfferBody } },
  ),
  tool(
    {
      name: 'take_cover',
      title: 'Take a cover, or give it to somebody',
      description: 'Lets a person take a cover; without `user`, the owner of the API key takes it.',
      id: 'Id of a cover, from list_covers.',
    },
    { ...coversApi.take, shapes: { ...coversApi.take.shapes, body: TakeBody } },
  ),
];

export function reads({ method }: Tool): boolean {
  return method === 'GET';
}

/** The arguments of a tool in standard JSON Schema. */
export function argumentsOf({ query, body, id }: Tool): object {
  const parts: Record<string, TSchema> = {
    ...(id === null ? {} : { id: Type.String({ minLength: 1, maxLength: 100, description: id }) }),
    ...query?.properties,
    ...body?.properties,
  };
  return { ...publish(Type.Object(parts), {}), additionalProperties: false };
}

export type Arguments = Record<string, unknown>;

/** Why these arguments do not make a request, as a sentence; null if they do. The route checks their values. */
export function problemOf(tool: Tool, given: Arguments): string | null {
  const { id, name, query, body } = tool;
  const known = [
    ...(id === null ? [] : ['id']),
    ...Object.keys(query?.properties ?? {}),
    ...Object.keys(body?.properties ?? {}),
  ];
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    return `${unknown} is not an argument of ${name}; ${known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`}.`;
  // An id such as ".." would lead to another route.
  if (id === null || (typeof given.id === 'string' && /^\w{1,100}$/.test(given.id))) return null;
  return `id is ${given.id === undefined ? 'missing' : 'no id'}; give the ${id.charAt(0).toLowerCase()}${id.slice(1)}`;
}

/** The request for a tool call. */
export function requestOf(
  { method, path, query, body }: Tool,
  given: Arguments,
): { method: Method; url: string; payload: Arguments | null } {
  const among = (shape: TObject | null) =>
    Object.entries(given).filter(
      ([name, value]) => value !== null && shape !== null && Object.hasOwn(shape.properties, name),
    );
  const values = among(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const search = new URLSearchParams(values).toString();
  const place = path.replace(':id', encodeURIComponent(String(given.id ?? '')));
  return {
    method,
    url: search === '' ? place : `${place}?${search}`,
    payload: method === 'GET' ? null : Object.fromEntries(among(body)),
  };
}
