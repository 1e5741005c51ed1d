import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readConfig } from '../config.ts';
import { TIME_ZONES_VERSION } from '../kit/version.ts';

/** The time zone data inside this Node.js: ICU's package is a list of names and places, then the files themselves. */
function ownTimeZones(): Buffer {
  const program = readFileSync(process.execPath);
  const start = program.indexOf('CmnD') - 12;
  const list = start + program.readUInt16LE(start);
  const places = Array.from({ length: program.readUInt32LE(list) }, (_, index) => {
    const name = list + program.readUInt32LE(list + 4 + 8 * index);
    return {
      name: program.toString('latin1', name, program.indexOf(0, name)),
      at: list + program.readUInt32LE(list + 8 + 8 * index),
    };
  });
  const index = places.findIndex(({ name }) => name.endsWith('/zoneinfo64.res'));
  return Buffer.from(program.subarray(places[index]?.at, places[index + 1]?.at));
}

/** The European Union's summer time as ICU keeps it: from the last Sunday of March to that of October, by an hour. */
const EUROPE = [2, -31, -1, 3600, 2, 9, -31, -1, 3600, 2, 3600];
const words = (numbers: readonly number[]) => Buffer.from(Int32Array.from(numbers).buffer);

/** A future release, in which the European Union has two hours of summer time. */
function laterRelease(version: string): Buffer {
  const data = ownTimeZones();
  const named = data.indexOf(Buffer.from(TIME_ZONES_VERSION, 'utf16le'));
  const rule = data.indexOf(words(EUROPE));
  assert.ok(named > 0 && rule > 0, 'Node.js keeps its data in another form');
  data.write(version, named, 'utf16le');
  words(EUROPE.with(-1, 7200)).copy(data, rule);
  return data;
}

const LOOK = `
  const { TIME_ZONES_VERSION } = await import(${JSON.stringify(new URL('../kit/version.ts', import.meta.url).href)});
  const summer = Temporal.ZonedDateTime.from('2050-07-01T12:00[Europe/Berlin]').offset;
  const intl = new Date(Date.UTC(2050, 6, 1, 12)).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
  console.log([TIME_ZONES_VERSION, summer, intl].join(' '));`;

describe('external time zone data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-zones-'));
  after(() => rmSync(folder, { recursive: true }));
  const inFolder = (name: string, content: Buffer | string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'zoneinfo64.res'), content);
    return join(folder, name);
  };
  const seen = (env: Record<string, string>) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', LOOK], { env, encoding: 'utf8' }).trim();

  it("replaces Node.js's data everywhere, and its version is reported", () => {
    const later = inFolder('later', laterRelease('2099z'));
    assert.equal(readConfig({ ICU_TIMEZONE_FILES_DIR: later }).timeZoneFiles, later);
    assert.equal(seen({ ICU_TIMEZONE_FILES_DIR: later }), '2099z +03:00 15:00:00');
    assert.equal(seen({}), `${TIME_ZONES_VERSION} +02:00 14:00:00`);
    assert.equal(readConfig({}).timeZoneFiles, null);
  });

  it('is refused where ICU would silently ignore it', () => {
    const refused = (path: string, sentence: RegExp) =>
      assert.throws(() => readConfig({ ICU_TIMEZONE_FILES_DIR: path }), sentence);
    refused(
      join(folder, 'none'),
      /^ConfigError: ICU_TIMEZONE_FILES_DIR leads to .*zoneinfo64\.res, which cannot be read \(ENOENT\);/,
    );
    for (const [name, content] of [
      ['empty', ''],
      ['tzif', 'TZif2 and something more'],
    ] as const)
      refused(inFolder(name, content), /zoneinfo64\.res is not time zone data of ICU; take it from https:/);
    const turned = laterRelease('2099z');
    turned[8] = turned[8] === 0 ? 1 : 0;
    refused(
      inFolder('turned', turned),
      /is for machines of the other byte order; take it from the folder [bl]e of/,
    );
  });
});
