import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { type RequestOf, route } from '../../kit/route.ts';
import { type Viewer, viewerOf } from '../../sessions/contract.ts';
import { countOtherOwners } from '../access-store.ts';
import { listMethods } from '../contact-store.ts';
import type { Courier } from '../methods/courier.ts';
import { type PersonDetail, type Profile, peopleApi } from '../person-contract.ts';
import { listPeople, type PersonRow } from '../store.ts';
import { changePerson, changeProfile, type EndAuthority } from './changes.ts';
import { presentDetail, presentProfile, presentSummary } from './present.ts';
import type { ShiftsOfPeople } from './shifts.ts';

export type PersonServices = {
  db: Database;
  clock: Clock;
  courier: Courier;
  endAuthority: EndAuthority;
  shiftsOfPeople: ShiftsOfPeople;
};

const SHIFTS_SHOWN = 12;

/** The viewer's own profile, the list of people, and one person. */
export function personApiRoutes(api: FastifyInstance, services: PersonServices): void {
  const { db, clock, shiftsOfPeople } = services;
  const { means } = services.courier;

  const profile = async ({ organizationId, userId }: Viewer): Promise<Profile> =>
    presentProfile(await findPerson(db, organizationId, userId));

  route(api, peopleApi.profile, (request) => profile(viewerOf(request)));

  route(api, peopleApi.changeProfile, async (request) => {
    await changeProfile(services, viewerOf(request), request.body);
    return profile(viewerOf(request));
  });

  route(api, peopleApi.overview, async (request) => {
    const { organizationId } = viewerOf(request);
    const people = await listPeople(db, organizationId, null);
    const onCall = await shiftsOfPeople.onCallAt(db, organizationId, await clock.now(db));
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

  route(api, peopleApi.find, (request) => detail(request));

  route(api, peopleApi.change, async (request) => {
    const body = request.body;
    const ended = await changePerson(services, viewerOf(request), request.params.id, body);
    return { ...(await detail(request)), ...(ended ? { ended } : {}) };
  });

  async function detail(request: RequestOf<typeof peopleApi.find>): Promise<PersonDetail> {
    const viewer = viewerOf(request);
    const { organizationId } = viewer;
    const person = await findPerson(db, organizationId, request.params.id);
    const at = await clock.now(db);
    return presentDetail(person, {
      viewer,
      means,
      methods: await listMethods(db, organizationId, [person.id]),
      onCall: await shiftsOfPeople.onCallAt(db, organizationId, at),
      shifts: await shiftsOfPeople.shiftsAhead(db, { organizationId, userId: person.id }, at, SHIFTS_SHOWN),
      otherOwners: await countOtherOwners(db, organizationId, person.id),
    });
  }
}

async function findPerson(db: Database, organizationId: string, id: string): Promise<PersonRow> {
  const [person] = await listPeople(db, organizationId, id);
  if (!person) throw new Fault('not_found');
  return person;
}
