import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allCountries, daysOf } from './country-days.ts';
import { findCountryDays, listCountries, readPlace } from './country-holidays.ts';

const countries = allCountries();
const place = (country: string, region: string | null = null) => ({ country, region });
const datesIn = (year: number, country: string, region: string | null = null) =>
  daysOf(place(country, region), year, year).map(({ date }) => date);

describe('the public holidays of countries', () => {
  it('are known for every listed country, each with its own code', () => {
    assert.ok(countries.length > 150);
    assert.equal(new Set(countries.map(({ code }) => code)).size, countries.length);
    const without = countries.filter(({ code }) => datesIn(2027, code).length === 0);
    assert.deepEqual(without, []);
  });

  it('differ between regions and parts of them, and each code has one meaning', () => {
    const [augsburg, bavaria, germany] = [
      datesIn(2027, 'DE', 'BY-A'),
      datesIn(2027, 'DE', 'BY'),
      datesIn(2027, 'DE'),
    ];
    assert.deepEqual(
      ['2027-08-08', '2027-01-06', '2027-12-25'].map((day) =>
        [augsburg, bavaria, germany].map((days) => days.includes(day)),
      ),
      [
        [true, false, false],
        [true, true, false],
        [true, true, true],
      ],
    );
    for (const { code, regions } of countries) {
      assert.equal(new Set(regions.map((region) => region.code)).size, regions.length, code);
      for (const region of regions) assert.ok(region.code.split('-').length <= 2, region.code);
    }
  });

  it('are whole local dates, one for each day of a long holiday, without half days', () => {
    const china = datesIn(2027, 'CN');
    assert.ok(china.includes('2027-10-01') && !china.includes('2027-03-08'), 'from noon on');
    const russia = datesIn(2027, 'RU');
    for (const day of [1, 2, 3, 4, 5, 6, 7, 8]) assert.ok(russia.includes(`2027-01-0${day}`), `${day}`);
    assert.ok(!russia.includes('2027-01-09'));
    // A Sunday of 23 hours.
    assert.ok(datesIn(2027, 'DK').includes('2027-03-28'));
    // The substitute of the next New Year's Day.
    assert.ok(datesIn(2027, 'US').includes('2027-12-31'));
  });

  it('are computed in a thread, including simultaneous requests', async () => {
    const [listed, again, days] = await Promise.all([
      listCountries(),
      listCountries(),
      findCountryDays(place('DE', 'BY'), { first: 2026, last: 2027 }),
    ]);
    assert.deepEqual(listed, countries);
    assert.equal(again, listed);
    assert.deepEqual(days, daysOf(place('DE', 'BY'), 2026, 2027));
  });

  it('are computed for ten requests at a time, and then for the next ones', async () => {
    const ask = () => findCountryDays(place('DE'), { first: 2027, last: 2027 });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const right = daysOf(place('DE'), 2027, 2027);
    assert.deepEqual(
      answers.map((answer) => ('error' in answer ? answer.error : answer)),
      [
        ...Array.from({ length: 10 }, () => right),
        ...Array.from(
          { length: 2 },
          () => '10 lists of holidays are already being computed; try again in a minute',
        ),
      ],
    );
    assert.deepEqual(await ask(), right);
  });
});

describe('a place', () => {
  const read = (country: string, region?: string) => readPlace(countries, { country, region });

  it('is found by its codes in any case', () => {
    assert.deepEqual(read('de', ' by-a '), { place: { country: 'DE', region: 'BY-A' } });
    assert.deepEqual(read('DE'), { place: { country: 'DE', region: null } });
  });

  it('is refused with its field and the fix', () => {
    const problem = (country: string, region?: string) => {
      const answer = read(country, region);
      assert.ok('problem' in answer);
      return `${answer.problem.field} ${answer.problem.message}`;
    };
    assert.equal(
      problem('Germany', 'BY'),
      'country is "Germany", which is not a country with known holidays; give a code of two letters from GET /api/holiday-countries, such as DE',
    );
    assert.match(
      problem('GB', 'LON'),
      /^region is "LON", which is not a region of United Kingdom; give one of ALD, ENG, NIR, SCT, WLS, or leave it out$/,
    );
    assert.match(problem('JP', 'X'), /the holidays of Japan are the same in all regions; leave it out/);
    const many = countries.find(({ regions }) => regions.length > 30);
    assert.ok(many);
    const said = problem(many.code, 'x'.repeat(100));
    assert.match(said, /or another one from GET \/api\/holiday-countries, or leave it out$/);
    assert.equal(said.split('; give ')[1]?.split(', ').length, 31);
  });
});
