import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { idOf } from '../../kit/path-id.ts';
import { type Viewer, viewerOf } from '../../sessions/contract.ts';
import type { Courier } from '../methods/courier.ts';
import { listMethods } from '../methods/store.ts';
import {
  type PeopleOverview,
  PersonChangeBody,
  type PersonDetail,
  type Profile,
  ProfileBody,
} from '../person-contract.ts';
import { changePerson, changeProfile, type EndAuthority } from './changes.ts';
import { presentDetail, presentProfile, presentSummary } from './present.ts';
import { countOtherOwners, listOnCallNow, listPeople, listShiftsAhead, type PersonRow } from './store.ts';

export type PersonServices = { db: Database; clock: Clock; courier: Courier; endAuthority: EndAuthority };

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const SHIFTS_SHOWN = 12;

/** The viewer's own profile, everybody at a glance, and one person. */
export function personApiRoutes(api: FastifyInstance, services: PersonServices): void {
  const { db, clock } = services;
  const { means } = services.courier;
  const hidden = { hide: true } as const;

  const profile = async ({ organizationId, userId }: Viewer): Promise<Profile> =>
    presentProfile(await findPerson(db, organizationId, userId));

  api.get('/profile', { schema: hidden }, (request) => profile(viewerOf(request)));

  api.patch('/profile', { schema: { ...hidden, body: ProfileBody } }, async (request) => {
    await changeProfile(services, viewerOf(request), request.body as ProfileBody);
    return profile(viewerOf(request));
  });

  api.get('/people/overview', { schema: hidden }, async (request): Promise<PeopleOverview> => {
    const { organizationId } = viewerOf(request);
    const people = await listPeople(db, organizationId, null);
    const onCall = await listOnCallNow(db, organizationId, await clock.now(db));
    const methods = await listMethods(
      db,
      organizationId,
      people.map(({ id }) => id),
    );
    return {
      people: people.map((person) => presentSummary(person, { methods, onCall, means })),
      not_set_up: [...means.unavailable.keys()],
    };
  });

  api.get('/people/:id', { schema: { ...hidden, params: Params } }, (request) => detail(request));

  api.patch(
    '/people/:id',
    { schema: { ...hidden, params: Params, body: PersonChangeBody } },
    async (request) => {
      const body = request.body as PersonChangeBody;
      const ended = await changePerson(services, viewerOf(request), idOf(request), body);
      return { ...(await detail(request)), ...(ended ? { ended } : {}) };
    },
  );

  async function detail(request: FastifyRequest): Promise<PersonDetail> {
    const viewer = viewerOf(request);
    const { organizationId } = viewer;
    const person = await findPerson(db, organizationId, idOf(request));
    const at = await clock.now(db);
    return presentDetail(person, {
      viewer,
      means,
      methods: await listMethods(db, organizationId, [person.id]),
      onCall: await listOnCallNow(db, organizationId, at),
      shifts: await listShiftsAhead(db, organizationId, person.id, at, SHIFTS_SHOWN),
      otherOwners: await countOtherOwners(db, organizationId, person.id),
    });
  }
}

async function findPerson(db: Database, organizationId: string, id: string): Promise<PersonRow> {
  const [person] = await listPeople(db, organizationId, id);
  if (!person) throw new Fault('not_found');
  return person;
}
