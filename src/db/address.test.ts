import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AddressFault, nameOf, readAddress } from './address.ts';

const hostsOf = (url: string) => readAddress(url).hosts.map(nameOf);

describe('an address of the database', () => {
  it('names one host, or several in their order, as libpq reads it', () => {
    assert.deepEqual(hostsOf('postgres://u:p@db/tocsin'), ['db:5432']);
    assert.deepEqual(hostsOf('postgresql://u:p@h1:5432,h2:5433/tocsin'), ['h1:5432', 'h2:5433']);
    assert.deepEqual(hostsOf('postgresql://u@[::1]:6000,h2,10.0.0.3:6001/db'), [
      '[::1]:6000',
      'h2:5432',
      '10.0.0.3:6001',
    ]);
    assert.deepEqual(hostsOf('postgresql:///db?host=h1,h2&port=7000'), ['h1:7000', 'h2:7000']);
    assert.deepEqual(hostsOf('postgresql:///db?host=h1,h2&port=7000,7001'), ['h1:7000', 'h2:7001']);
    assert.deepEqual(
      readAddress('postgresql:///db?host=/var/run/postgresql').hosts[0]?.host,
      '/var/run/postgresql',
    );
  });

  it('keeps everything else for the driver', () => {
    const { base } = readAddress(
      'postgresql://u:p%40ss@h1:5432,h2:5433/db?sslmode=verify-full&target_session_attrs=primary&application_name=x',
    );
    assert.equal(base, 'postgresql://u:p%40ss@h1:5432/db?sslmode=verify-full&application_name=x');
  });

  it('requires a server that accepts writes if it names several, and any server if it names one', () => {
    const attrsOf = (url: string) => readAddress(url).sessionAttrs;
    assert.equal(attrsOf('postgres://h1,h2/db'), 'read-write');
    assert.equal(attrsOf('postgres://h1/db'), 'any');
    assert.equal(attrsOf('postgres://h1,h2/db?target_session_attrs=any'), 'any');
    for (const attrs of ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'])
      assert.equal(attrsOf(`postgres://h1/db?target_session_attrs=${attrs}`), attrs);
  });

  it('is refused with the problem, and never quoted', () => {
    const cases: [string, RegExp][] = [
      ['mysql://secret@db', /^is not a URL that starts with postgres/],
      ['postgres://u:secret@h1,,h2/db', /^has an empty name in its list of hosts/],
      ['postgres://u:secret@h1:x/db', /^has the port "x"; give a whole number from 1 to 65535/],
      ['postgres://u:secret@h1:0,h2/db', /^has the port "0"/],
      ['postgres://u:secret@h1:65536/db', /^has the port "65536"/],
      ['postgres:///db?host=h1,h2,h3&port=1,2&password=secret', /^names 3 hosts but 2 ports/],
      [
        'postgres://u:secret@h1/db?target_session_attrs=writable',
        /^has target_session_attrs="writable"; give one of any,/,
      ],
      ['postgres://u:secret@h%zz/db', /^has the host .*percent-encoding/],
    ];
    for (const [url, expected] of cases)
      assert.throws(
        () => readAddress(url),
        (error: Error) => {
          assert.ok(error instanceof AddressFault, url);
          assert.match(error.message, expected, url);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
  });
});
