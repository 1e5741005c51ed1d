import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../../kit/fault.ts';
import { t } from '../../language/contract.ts';

const derive = promisify(argon2);

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. Takes about 40 ms. */
const NOW = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_LENGTH = 32;

type Settings = { memory: number; passes: number; parallelism: number };

/** Each one needs memory and a thread of the pool in which pages look up host names. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
let running = 0;
const waiting: (() => void)[] = [];

/** The usual form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await run(password, salt, NOW);
  return `$argon2id$v=19$m=${NOW.memory},t=${NOW.passes},p=${NOW.parallelism}$${text(salt)}$${text(tag)}`;
}

/** A null hash takes as long as a real one, so that the duration does not reveal whether an account exists. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { settings, salt, tag } = parse(hash ?? NOBODYS);
  const given = await run(password, salt, settings);
  return timingSafeEqual(given, tag) && hash !== null;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const NOBODYS = `$argon2id$v=19$m=${NOW.memory},t=${NOW.passes},p=${NOW.parallelism}$${text(Buffer.alloc(16))}$${text(Buffer.alloc(TAG_LENGTH))}`;

function parse(hash: string): { settings: Settings; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(hash) ?? [];
  if (!tag) throw new Error('a stored password has an unknown format');
  return {
    settings: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

async function run(password: string, nonce: Buffer, settings: Settings): Promise<Buffer> {
  await turn();
  try {
    // Another keyboard may send the same password in another Unicode normal form.
    const message = password.normalize('NFKC');
    return await derive('argon2id', { message, nonce, tagLength: TAG_LENGTH, ...settings });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function turn(): Promise<void> {
  if (running < AT_ONCE) {
    running++;
    return;
  }
  if (waiting.length >= MOST_WAITING)
    throw new Fault(
      'unavailable',
      [{ field: 'sign-in', message: t('Too many people are signing in at once; try again in a moment.') }],
      {
        'retry-after': '5',
      },
    );
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
