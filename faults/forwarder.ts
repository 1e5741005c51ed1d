/**
 * `node faults/forwarder.ts FROM TO …`: forwards connections from a loopback port or a socket path to another one. Only
 * sockets in the file system can be reached from another network namespace.
 */
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

export type Door = number | string;

export async function forward(from: Door, to: Door): Promise<Server> {
  const server = createServer((near) => {
    const far = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  if (typeof from === 'number') server.listen(from, '127.0.0.1');
  else server.listen(from);
  await once(server, 'listening');
  return server;
}

if (import.meta.main) {
  const doors = process.argv.slice(2).map((word) => (/^\d+$/.test(word) ? Number(word) : word));
  for (let at = 0; at + 1 < doors.length; at += 2) await forward(doors[at] as Door, doors[at + 1] as Door);
  process.stdout.write('ready\n');
}
