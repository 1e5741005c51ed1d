import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('teams in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;
  let linus: SignedIn;
  let others: Organization;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, linus: {} },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']] }] } },
      },
    });
    const become = (table: 'users' | 'team_members', role: string, person: string) =>
      t.db
        .updateTable(table)
        .set({ role } as never)
        .where(table === 'users' ? 'id' : 'user_id', '=', (t.acme.users[person] ?? '') as never)
        .execute();
    await become('users', 'owner', 'ada');
    await become('team_members', 'manager', 'grace');
    [ada, grace, linus] = [await signIn(t, 'ada'), await signIn(t, 'grace'), await signIn(t, 'linus')];
    others = await seedOrganization(
      t,
      { people: { eve: {} }, teams: { evil: { members: ['eve'] } } },
      'Evil',
    );
  });
  after(() => t.end());

  const person = (name: string) => t.acme.users[name] ?? '';

  it('lists them with their contents, the viewer’s own first', async () => {
    const { status, body } = await ada.call('GET', '/api/teams');
    assert.equal(status, 200);
    assert.deepEqual(
      body.teams.map(({ slug, own_role, members, schedules, open_pages }: Record<string, unknown>) => ({
        ...{ slug, own_role, members, schedules, open_pages },
      })),
      [{ slug: 'sre', own_role: 'member', members: 2, schedules: 1, open_pages: 0 }],
    );
    assert.equal(body.may_create, true);
    assert.equal((await linus.call('GET', '/api/teams')).body.may_create, false);
  });

  it('shows one by its slug, managers first', async () => {
    const { body } = await linus.call('GET', '/api/teams/SRE');
    assert.deepEqual(
      body.people.map(({ name, role }: Record<string, unknown>) => [name, role]),
      [
        ['Grace', 'manager'],
        ['Ada', 'member'],
      ],
    );
    assert.equal(body.schedules[0].name, 'sre 0');
    assert.deepEqual([body.may_manage, body.may_delete], [false, false]);
    assert.equal((await grace.call('GET', '/api/teams/sre')).body.may_manage, true);
  });

  it('creates one with its members, for admins and owners', async () => {
    const wanted = { name: ' Data ', slug: 'data', members: [{ user: person('linus'), role: 'manager' }] };
    assert.equal((await grace.call('POST', '/api/teams', wanted)).status, 403);
    const { status, body } = await ada.call('POST', '/api/teams', wanted);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.team.name, body.team.slug, body.people[0].name], ['Data', 'data', 'Linus']);
    const again = await ada.call('POST', '/api/teams', { ...wanted, slug: 'DATA' });
    assert.match(again.body.details[0].message, /letters a–z/);
    const taken = await ada.call('POST', '/api/teams', { name: 'Data', slug: 'data' });
    assert.equal(taken.status, 409);
    const bad = await ada.call('POST', '/api/teams', {
      ...{ name: '  ', slug: 'no good' },
      members: [{ user: others.users.eve, role: 'member' }],
    });
    assert.equal(bad.status, 400);
    assert.deepEqual(
      bad.body.details.map(({ field }: { field: string }) => field),
      ['name', 'slug', 'user'],
    );
  });

  it('lets managers rename one, and keeps other fields', async () => {
    assert.equal((await linus.call('PATCH', '/api/teams/sre', { name: 'X' })).status, 403);
    const renamed = await grace.call('PATCH', '/api/teams/sre', { name: 'Site Reliability' });
    assert.deepEqual([renamed.body.team.name, renamed.body.team.slug], ['Site Reliability', 'sre']);
    const moved = await grace.call('PATCH', '/api/teams/sre', { slug: 'site-reliability' });
    assert.equal(moved.body.team.slug, 'site-reliability');
    assert.equal((await grace.call('GET', '/api/teams/sre')).status, 404);
    assert.equal((await grace.call('PATCH', '/api/teams/site-reliability', { slug: 'data' })).status, 409);
    await grace.call('PATCH', '/api/teams/site-reliability', { slug: 'sre' });
  });

  it('adds members, gives them roles, and lets everybody leave', async () => {
    const path = `/api/teams/sre/members/${person('linus')}`;
    assert.equal((await linus.call('PUT', path, { role: 'manager' })).status, 403);
    const joined = await grace.call('PUT', path, {});
    assert.equal(joined.body.team.members, 3);
    const raised = await grace.call('PUT', path, { role: 'manager' });
    assert.equal(raised.body.people.find(({ name }: { name: string }) => name === 'Linus').role, 'manager');
    await grace.call('PUT', path, { role: 'member' });
    assert.equal((await linus.call('DELETE', `/api/teams/sre/members/${person('ada')}`)).status, 403);
    assert.equal((await linus.call('DELETE', path)).body.team.members, 2);
    const stranger = await grace.call('PUT', `/api/teams/sre/members/${others.users.eve}`, {});
    assert.equal(stranger.status, 400);
    assert.match(stranger.body.details[0].message, /not an active person of your organization/);
  });

  it('deletes one only if nothing would be deleted with it', async () => {
    assert.equal((await grace.call('DELETE', '/api/teams/sre')).status, 403);
    const refused = await ada.call('DELETE', '/api/teams/sre');
    assert.equal(refused.status, 409);
    assert.match(refused.body.details[0].message, /still has 1 schedule; delete its schedules first/);
    assert.equal((await ada.call('DELETE', '/api/teams/data')).status, 200);
    assert.equal((await ada.call('GET', '/api/teams/data')).status, 404);
  });

  it('shows nothing of another organization, and records who changed what', async () => {
    for (const [method, path] of [
      ['GET', '/api/teams/evil'],
      ['PATCH', `/api/teams/${others.teams.evil}`],
      ['DELETE', `/api/teams/${others.teams.evil}`],
      ['PUT', `/api/teams/evil/members/${person('ada')}`],
    ] as const)
      assert.equal((await ada.call(method, path, {})).status, 404, path);
    const log = await t.db.selectFrom('audit_log').select(['action']).distinct().execute();
    const actions = log.map(({ action }) => action).filter((action) => action.startsWith('team.'));
    assert.deepEqual(actions.toSorted(), ['team.change', 'team.create', 'team.delete', 'team.member']);
  });
});
