import { ConfigError, type Read, readAddress, readInteger, readingFrom } from '../kit/setting.ts';

/** Variables of the command line. The server does not use them, but must not refuse them. */
const COMMAND_LINE_NAMES = ['TOCSIN_URL', 'TOCSIN_URL_FILE', 'TOCSIN_KEY', 'TOCSIN_KEY_FILE'];

/** Variables that begin with TOCSIN_ and that neither the server nor a command reads. */
export function unknownNames(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).filter((name) => name.startsWith('TOCSIN_') && !COMMAND_LINE_NAMES.includes(name));
}

/** The server that commands connect to, and the key that they use. */
export type Remote = {
  /** Without a trailing slash. */
  url: string;
  key: string | null;
};

/**
 * Reads `TOCSIN_URL` and `TOCSIN_KEY`, for commands that use a running server.
 * @throws ConfigError when one of them is invalid
 */
export function readRemote(env: NodeJS.ProcessEnv): Readonly<Remote> {
  const read: Read<'TOCSIN_URL' | 'TOCSIN_KEY' | 'PORT'> = readingFrom(env);
  const port = readInteger('PORT', read, 8080, 0, 65_535);
  const url = readAddress('TOCSIN_URL', read) ?? `http://127.0.0.1:${port || 8080}`;
  const key = read('TOCSIN_KEY');
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError('TOCSIN_KEY is not an API key; give one as "tocsin key create" prints it');
  return Object.freeze({ url, key });
}
