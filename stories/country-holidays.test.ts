import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FileRefused } from '../src/apply/file/document.ts';
import { applyText } from '../testing/apply-text.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday. */
const NOW = Temporal.Instant.from('2026-11-18T12:00:00Z');
/** One holiday is observed in Bavaria alone, the other in all of Germany; both fall on workdays within ten weeks. */
const [EPIPHANY, CHRISTMAS] = ['2027-01-06', '2026-12-25'];

describe('public holidays of a country', () => {
  let t: Story;
  let ada: SignedIn;
  let file: (holidays: string) => string;

  before(async () => {
    t = await story({
      organization: { people: { ada: {}, linus: {} }, teams: { sre: { members: ['ada', 'linus'] } } },
    });
    await t.clock.travelTo(t.db, NOW);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    const users = await t.db.selectFrom('users').select(['email', 'username']).execute();
    const email = (name: string) => users.find(({ username }) => username === name)?.email;
    file = (holidays) => `schedules:
  - name: Office
    team: sre
    time_zone: Europe/Berlin
    plan_ahead_weeks: 10
    holidays: { use: uncovered${holidays} }
    backstop: ${email('linus')}
    shifts: { every: week, hours: [{ days: [mon-fri], from: "09:00", to: "17:00" }] }
    stages: [ { stage: 1, members: [${email('ada')}] } ]`;
    await applyText(t, file(''));
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  const call = (method: string, path: string, body?: unknown) =>
    ada.call(method, `/api/holiday-calendars${path}`, body);

  /** Which of the two holidays have a shift once all due work is done. */
  async function planned(): Promise<string[]> {
    await t.app.duties.runAll();
    const rows = await t.db.selectFrom('shifts').select('starts_at').execute();
    const days = new Set(rows.map(({ starts_at }) => starts_at.toString().slice(0, 10)));
    assert.ok(days.has('2027-01-05'), 'days like any other have a shift');
    return [EPIPHANY, CHRISTMAS].filter((day) => days.has(day));
  }

  async function details(holidays: string): Promise<string[]> {
    const { changes } = await applyText(t, file(holidays));
    return changes.flatMap((change) => change.details);
  }

  it('can be chosen from a list of countries and their regions', async () => {
    const { status, body } = await ada.call('GET', '/api/holiday-countries');
    assert.equal(status, 200);
    const germany = body.countries.find(({ code }: { code: string }) => code === 'DE');
    assert.equal(germany.name, 'Germany');
    const regions = new Map(
      germany.regions.map(({ code, name }: { code: string; name: string }) => [code, name]),
    );
    assert.deepEqual([regions.get('BY'), regions.get('BY-A')], ['Bayern', 'Bayern, Stadt Augsburg']);
  });

  it("leave the schedule without shifts on the holidays of the organization's region", async () => {
    assert.deepEqual(await planned(), [EPIPHANY, CHRISTMAS]);
    const made = await call('POST', '', { name: 'Bavaria', country: 'de', region: 'by' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual([made.body.country, made.body.region, made.body.url], ['DE', 'BY', null]);
    const named = new Map(
      made.body.days.map(({ date, name }: { date: string; name: string }) => [date, name]),
    );
    assert.deepEqual([named.get(EPIPHANY), named.get(CHRISTMAS)], ['Epiphany', 'Christmas Day']);
    assert.deepEqual([made.body.days[0].date, made.body.days.at(-1).date], ['2025-01-01', '2030-12-26']);
    assert.equal(made.body.next.date, CHRISTMAS);
    assert.deepEqual(await planned(), []);
  });

  it('follow a different country, an address or days after a change', async () => {
    const [{ id }] = (await call('GET', '')).body.calendars;
    const whole = await call('PATCH', `/${id}`, { name: 'Germany', country: 'DE' });
    assert.deepEqual([whole.body.name, whole.body.country, whole.body.region], ['Germany', 'DE', null]);
    assert.deepEqual(await planned(), [EPIPHANY]);
    const days = await call('PATCH', `/${id}`, { days: [{ date: EPIPHANY, name: 'Ours' }] });
    assert.deepEqual([days.body.country, days.body.day_count], [null, 1]);
    assert.deepEqual(await planned(), [CHRISTMAS]);
    const back = await call('PATCH', `/${id}`, { country: 'DE', region: 'BY' });
    assert.deepEqual([back.status, back.body.region], [200, 'BY']);
    assert.deepEqual(await planned(), []);
  });

  it("can be set in the operator's file, for one schedule instead of the organization", async () => {
    assert.deepEqual(await details(', country: DE, region: BE'), ['holidays: are those of DE-BE']);
    assert.deepEqual(await details(', country: DE, region: BE'), []);
    assert.deepEqual(await planned(), [EPIPHANY], 'Epiphany is no holiday in Berlin');
    assert.deepEqual(await details(', country: DE'), ['holidays: are those of DE']);
    // YAML reads this code as a number.
    assert.deepEqual(await details(', country: FR, region: 57'), ['holidays: are those of FR-57']);
    assert.deepEqual(await details(`, days: [${EPIPHANY}]`), ['holidays: 1 in the list of the file']);
    assert.deepEqual(await planned(), [CHRISTMAS]);
    assert.deepEqual(await details(', country: DE, region: BY'), ['holidays: are those of DE-BY']);
    assert.deepEqual(await planned(), []);
    assert.deepEqual(await details(', days: []'), ['holidays: the list of the file is removed']);
  });

  it('are refused with the wrong field and the fix', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', '', { name: 'x', ...body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      return answer.body.details.map(({ message }: { message: string }) => message).join('\n');
    };
    assert.match(
      await refused({ country: 'Germany' }),
      /^country is "Germany", .*; give a code of two letters/,
    );
    assert.match(
      await refused({ country: 'GB', region: 'X' }),
      /^region is "X", .* give one of ALD, ENG, NIR/,
    );
    assert.match(await refused({ region: 'BY' }), /^region is "BY" without a country; give country as well/);
    assert.match(await refused({ country: 'DE', url: 'https://example.com/x.ics' }), /give only one/);
    const [{ id }] = (await call('GET', '')).body.calendars;
    assert.equal((await call('PATCH', `/${id}`, { country: 'DE', region: 'XX' })).status, 400);
    assert.equal((await call('GET', `/${id}`)).body.region, 'BY', 'nothing was changed');

    const errors = async (holidays: string) => {
      const error = await applyText(t, file(holidays)).then(
        () => null,
        (reason) => reason,
      );
      assert.ok(error instanceof FileRefused);
      return error.errors.map(({ line, path, message }) => `${line} ${path} ${message}`).join('\n');
    };
    assert.match(
      await errors(', country: Germany'),
      /^6 schedules\[0\]\.holidays\.country is "Germany", which/,
    );
    assert.match(
      await errors(', country: DE, region: XX'),
      /^6 schedules\[0\]\.holidays\.region is "XX", which/,
    );
    assert.match(await errors(', region: BY'), /holidays\.region is "BY" without a country/);
    assert.match(
      await errors(', country: DE, days: []'),
      /holidays\.days cannot be combined with country; keep/,
    );
  });

  it('are added for later years over time, and past ones do not change', async () => {
    t.clock.advance({ hours: 24 * 400 });
    await t.app.duties.runAll();
    const days = await t.db.selectFrom('holidays').select('date').orderBy('date').execute();
    assert.deepEqual([days[0]?.date, days.at(-1)?.date], ['2025-01-01', '2031-12-26']);
  });
});
