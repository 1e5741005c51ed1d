import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringify } from 'yaml';
import { commandsHere } from '../../testing/commands.ts';
import { ratesWith } from '../../testing/pay/rates.ts';

const { file, rows, tocsin } = await commandsHere();

const ORGANIZATION = {
  organization: { name: 'Acme', time_zone: 'Europe/Berlin' },
  users: [{ email: 'ada@example.com', name: 'Ada', role: 'owner' }],
  teams: [{ slug: 'sre', members: ['ada@example.com'] }],
};
type Table = Record<string, unknown>;
const apply = (tables: readonly Table[] | null, ...more: string[]) =>
  tocsin.run(['apply', file('acme.yaml', textOf(tables)), ...more]);
const textOf = (tables: readonly Table[] | null, pay?: readonly Table[]) =>
  stringify({
    ...ORGANIZATION,
    users: ORGANIZATION.users.map((user) => ({ ...user, ...(pay ? { pay } : {}) })),
    ...(tables ? { pay_tables: tables } : {}),
  });
const applyPay = (pay: readonly Table[], tables: readonly Table[] | null = null, ...more: string[]) =>
  tocsin.run(['apply', file('acme.yaml', textOf(tables, pay)), ...more]);
const paid = () =>
  rows(
    `select p.valid_from || ' ' || coalesce(t.name, 'none') as shown from pay_people p left join pay_tables t on t.id = p.table_id
     order by p.valid_from`,
  );
const stored = () =>
  rows(
    `select name, currency, time_zone, country, region, is_default as usual, (select count(*)::int from pay_rates r where r.table_id = t.id)
     as versions from pay_tables t order by name`,
  );

const second = { standby: '1.25', night: '1.50', weekend: '2', holiday: '3' };
const germany = (more: Table = {}): Table => ({
  ...{ name: 'Germany', currency: 'EUR', country: 'DE', region: 'BY' },
  versions: [{ from: '2027-01-01', rates: ratesWith({ stages: [{ from_stage: 2, on_call: second }] }) }],
  ...more,
});
const newYork = { name: 'New York', currency: 'USD', time_zone: 'America/New_York' };

describe('rate tables in the file', () => {
  it('are shown by a dry run, made, and not made again', async () => {
    const dry = await apply([germany(), newYork], '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(
      dry.stdout,
      /\+ pay_table Germany\n.*EUR\n.*Europe\/Berlin\n.*holidays: DE-BY\n.*default\n.*rates from 2027-01-01: are new/,
    );
    assert.deepEqual(await stored(), []);
    const made = await apply([germany(), newYork]);
    assert.equal(made.code, 0, made.stderr);
    const places = [
      { country: 'DE', region: 'BY' },
      { country: null, region: null },
    ];
    assert.deepEqual(await stored(), [
      {
        ...places[0],
        name: 'Germany',
        currency: 'EUR',
        time_zone: 'Europe/Berlin',
        usual: true,
        versions: 1,
      },
      {
        ...places[1],
        name: 'New York',
        currency: 'USD',
        time_zone: 'America/New_York',
        usual: false,
        versions: 0,
      },
    ]);
    assert.match((await apply([germany(), newYork])).stdout, /Nothing changes/);
    assert.match((await apply(null)).stdout, /Nothing changes/);
    assert.match(
      (await apply([{ name: 'germany' }])).stdout,
      /~ pay_table germany: name: was Germany, is germany/,
    );
    assert.match((await apply([{ name: 'Germany' }])).stdout, /~ pay_table Germany/);
  });

  it('accept numbers without quotes, and treat 2.5 as 2.50', async () => {
    const text = textOf([germany()]).replaceAll(/"([0-9.]+)"/g, '$1');
    assert.match(text, /standby: 2\.50\n/);
    const { code, stdout, stderr } = await tocsin.run(['apply', file('numbers.yaml', text)]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Nothing changes/);
    const same = await tocsin.run([
      'apply',
      file('numbers.yaml', text.replace('standby: 2.50', 'standby: 2.5')),
    ]);
    assert.match(same.stdout, /Nothing changes/);
  });

  it('show each changed rate, and remove rates that a list leaves out', async () => {
    const rates = ratesWith({
      on_call: { standby: '2.75', night: '3', weekend: '4.00', holiday: '6.25' },
      stages: [{ from_stage: 3, on_call: second }],
      called_out: { minimum_minutes: 30 },
    });
    const changed = germany({ versions: [{ from: '2027-01-01', until: '2027-12-31', rates }] });
    const dry = await apply([changed], '--dry-run');
    assert.match(
      dry.stdout,
      /~ pay_table Germany: rates from 2027-01-01: until: was none, is 2027-12-31, on call, standby: was 2\.50, is 2\.75, .*on call from stage 2, standby: was 1\.25, is none, .*minimum: was 60 minutes, is 30 minutes, on call from stage 3, standby: was none, is 1\.25/,
    );
    await apply([changed]);
    assert.match((await apply([changed])).stdout, /Nothing changes/);
    const later = germany({ versions: [{ from: '2028-01-01', rates }] });
    const moved = await apply([later]);
    assert.match(moved.stdout, /rates from 2028-01-01: are new/);
    assert.match(moved.stdout, /rates from 2027-01-01: are removed/);
    const [first] = await rows(
      "select rates -> 'stages' -> 0 ->> 'from_stage' || ' ' || (rates -> 'on_call' ->> 'standby') as shown from pay_rates",
    );
    assert.deepEqual(first, { shown: '3 2.75' });
  });

  it('have one default, which another one can become', async () => {
    const moved = await apply([{ name: 'Germany' }, { ...newYork, default: true }]);
    assert.match(moved.stdout, /~ pay_table Germany: default: was yes, is no/);
    assert.match(moved.stdout, /~ pay_table New York: default: was no, is yes/);
    assert.deepEqual(
      (await stored()).map(({ name, usual }) => `${name} ${usual}`),
      ['Germany false', 'New York true'],
    );
    const none = await apply([{ ...newYork, default: false }]);
    assert.match(none.stdout, /~ pay_table New York: default: was yes, is no/);
    await apply([{ name: 'Germany', default: true }]);
  });

  it('pay the people who are assigned to them, each from a day on', async () => {
    const pay = [
      { table: 'germany' },
      { from: '2027-06-01', table: 'New York' },
      { from: '2028-01-01', table: null },
    ];
    const dry = await applyPay(pay, null, '--dry-run');
    assert.match(
      dry.stdout,
      /~ user ada@example\.com\n +pay: was none, is Germany\n +pay from 2027-06-01: was none, is New York\n +pay from 2028-01-01: was none, is not paid/,
    );
    assert.deepEqual(await paid(), []);
    await applyPay(pay);
    assert.deepEqual(
      (await paid()).map(({ shown }) => shown),
      ['1970-01-01 Germany', '2027-06-01 New York', '2028-01-01 none'],
    );
    assert.match((await applyPay(pay)).stdout, /Nothing changes/);
    assert.match((await apply(null)).stdout, /Nothing changes/, 'left out, it stays');
    const moved = await applyPay([{ table: 'New York' }, { from: '2027-06-01', table: 'New York' }]);
    assert.match(
      moved.stdout,
      /~ user ada@example\.com\n +pay: was Germany, is New York\n +pay from 2028-01-01: was not paid, is none/,
    );
    const unknown = await applyPay([{ table: 'Mars' }]);
    assert.match(
      unknown.stderr,
      /users\[0\]\.pay\[0\]\.table is "Mars", which is not a rate table of the organization; add it/,
    );
    const twice = await applyPay([{ table: 'Germany' }, { table: null }]);
    assert.match(twice.stderr, /users\[0\]\.pay\[1\]\.from appears twice/);
    const many = Array.from({ length: 61 }, (_, day) => ({ table: null, from: `20${10 + day}-01-01` }));
    assert.match((await applyPay(many)).stderr, /users\[0\]\.pay .*60/);
    assert.equal((await paid()).length, 2, 'a refused file changes nothing');
    const pruned = await applyPay([], [germany({ versions: [] })], '--prune');
    assert.match(pruned.stdout, /- pay_table New York/, 'nobody is assigned to it any more');
    assert.match((await applyPay([], [germany({ versions: [] })], '--prune')).stdout, /Nothing changes/);
    await apply([germany(), newYork]);
  });

  it('are removed by --prune if the file has any, unless somebody is paid by them', async () => {
    assert.match((await apply(null, '--prune')).stdout, /Nothing changes/);
    await rows(
      `insert into pay_people (organization_id, user_id, valid_from, table_id)
       select organization_id, (select id from users limit 1), '1970-01-01', id from pay_tables where name = 'New York' returning 1`,
    );
    const used = await apply([germany({ versions: [] })], '--prune');
    assert.match(used.stdout, /! rate table New York stays: people are assigned to it or were paid by it/);
    await rows('delete from pay_people returning 1');
    assert.match((await apply([{ name: 'Germany' }], '--prune')).stdout, /- pay_table New York/);
    assert.deepEqual(
      (await stored()).map(({ name, versions }) => [name, versions]),
      [['Germany', 0]],
    );
  });

  it('are refused at their place in the file', async () => {
    const refused = async (tables: readonly Table[]) => {
      const { code, stderr } = await apply(tables);
      assert.equal(code, 1, stderr);
      return stderr;
    };
    const withRates = (rates: object, more: object = {}) => [
      germany({ versions: [{ from: '2027-01-01', rates, ...more }] }),
    ];
    assert.match(await refused([{ name: 'X' }]), /pay_tables\[0\]\.currency is missing; give the currency/);
    assert.match(await refused([{ name: 'X', currency: 'XQQ' }]), /is XQQ, which is not a current currency/);
    assert.match(
      await refused([germany({ currency: 'USD' })]),
      /acme\.yaml:\d+:\d+ pay_tables\[0\]\.currency is USD, but the rate table Germany has EUR, which cannot change/,
    );
    assert.match(
      await refused([germany({ region: 'XX' })]),
      /region is "XX", which is not a region of Germany/,
    );
    assert.match(await refused([{ name: 'Germany', region: 'BY' }]), /region is "BY" without a country/);
    assert.match(
      await refused([germany({ default: true }), { ...newYork, default: true }]),
      /pay_tables\[1\]\.default is true, but Germany is already the default; make only one/,
    );
    assert.match(await refused([germany(), germany({ name: 'GERMANY' })]), /name appears twice/);
    assert.match(
      await refused(withRates(ratesWith(), { until: '2026-12-31' })),
      /versions\[0\]\.until is 2026-12-31, which is before 2027-01-01/,
    );
    const twice = [2, 2].map((from_stage) => ({ from_stage, on_call: second }));
    assert.match(
      await refused(withRates(ratesWith({ stages: twice }))),
      /versions\[0\]\.rates\.stages\[1\]\.from_stage is 2, which another entry has/,
    );
    const { night: _, ...rest } = ratesWith();
    assert.match(await refused(withRates(rest)), /versions\[0\]\.rates\.night is missing/);
    assert.match(
      await refused(withRates({ ...ratesWith(), overlab: 'add' })),
      /overlab is not a key of rates; did you mean overlap\?/,
    );
    const many = Array.from({ length: 51 }, (_, index) => ({ ...newYork, name: `Table ${index}` }));
    assert.match(await refused(many), /pay_tables .*50/);
    assert.match(
      await refused(many.slice(0, 50)),
      /pay_tables would make 51 rate tables of the organization, which has 50 at most/,
    );
  });
});
