import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';

/** Below the ports that the kernel gives to outgoing connections and to servers that listen on port 0. */
const FIRST = 20_000;
const LAST = 31_999;
const TRIES = 200;

/**
 * A free port of the loopback address, for a server that starts later or restarts. Until this process ends, no other
 * call returns the same port, not even in another process on the same machine.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`${TRIES} ports between ${FIRST} and ${LAST} are all in use; end what listens on them`);
}

/** Ports of servers of this process that have ended. */
const left: number[] = [];

/** The port of a server of this process that has ended, or else a free one, to be left with `leavePort`. */
export async function portAgain(): Promise<number> {
  const port = left.pop();
  return port !== undefined && (await isFree(port)) ? port : freePort();
}

/** Passes the port of a server that has ended on to the next one. */
export function leavePort(port: number): void {
  left.push(port);
}

/**
 * Binds an abstract socket named after the port. The kernel releases it when this process ends, even if it is killed.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await listening({ path: `\0tocsin-test-port-${port}` })) !== null;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening({ host: '127.0.0.1', port });
  if (!server) return false;
  server.close();
  await once(server, 'close');
  return true;
}

async function listening(where: ListenOptions) {
  const server = createServer().unref();
  try {
    server.listen(where);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}
