import type { Socket } from 'node:net';
import type { Pool } from 'pg';

/** What a pool sends to the database, with ` ANSWERED ` wherever data arrived from it. */
export type Traffic = { sent: string };

/** Records the traffic of connections that the pool opens from now on. Assign `sent` to begin again. */
export function recordTraffic(pool: Pool): Traffic {
  const traffic: Traffic = { sent: '' };
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const write = stream.write.bind(stream) as (chunk: Buffer) => boolean;
    stream.write = ((chunk: Buffer) => {
      traffic.sent += chunk.toString('latin1');
      return write(chunk);
    }) as Socket['write'];
    stream.on('data', () => {
      traffic.sent += ' ANSWERED ';
    });
  });
  return traffic;
}
