import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { commands, refused } from '../../testing/commands.ts';
import { freePort } from '../../testing/free-port.ts';

const { tocsin, databaseUrl } = await commands();

describe('a server that cannot start', () => {
  it('names the port that is in use, and ends', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const [taken, free] = [String(address.port), String(await freePort())];
    refused(
      await tocsin.run(['serve'], { env: { PORT: taken, UPLOAD_PORT: free } }),
      new RegExp(`^PORT ${taken} is in use by another program; stop it, or set PORT to another port`),
    );
    refused(
      await tocsin.run(['serve'], { env: { PORT: free, UPLOAD_PORT: taken } }),
      new RegExp(
        `^UPLOAD_PORT ${taken} is in use by another program; stop it, or set UPLOAD_PORT to another port`,
      ),
    );
  });

  it('names the address that does not belong to this machine', async () => {
    const env = { HOST: '192.0.2.7', TRUST_PROXY: 'true', PORT: String(await freePort()) };
    refused(
      await tocsin.run(['serve'], { env }),
      /^HOST 192\.0\.2\.7 is not an address of this machine \(EADDRNOTAVAIL\); set HOST to one that is/,
    );
  });

  it('names the database that does not exist, because waiting would not help', async () => {
    const url = new URL(databaseUrl);
    url.pathname = '/no_such_database';
    refused(
      await tocsin.run(['serve'], { env: { DATABASE_URL: url.href } }),
      /^The database at \S+ cannot be used \(database "no_such_database" does not exist\); check DATABASE_URL/,
    );
  });
});
