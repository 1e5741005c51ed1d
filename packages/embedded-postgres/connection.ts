import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresFault, errorText } from './fault.ts';
import { SOCKET_PORT } from './settings.ts';

export const PASSWORD_FILE = 'tocsin.password';

/** How the driver reaches the embedded database. It stays the same while a server runs. */
export interface EmbeddedConnection {
  /** The directory of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The role that owns the schema and may do nothing else: it cannot run programs, read files or create extensions. */
const SERVICE_ROLE = 'tocsin_service';

/**
 * The connection of the service and its commands.
 * @throws EmbeddedPostgresFault when the password file is missing or unreadable
 */
export function connectionTo(cluster: string, socketDirectory: string): EmbeddedConnection {
  const superuser = superuserTo(cluster, socketDirectory);
  // Derived from the superuser's password, so that no second file can be lost. The derivation cannot be reversed.
  const password = createHmac('sha256', superuser.password).update(SERVICE_ROLE).digest('base64url');
  return { ...superuser, user: SERVICE_ROLE, password };
}

/**
 * The connection of the superuser that initdb created. Only the set-up of a starting database uses it.
 * @throws EmbeddedPostgresFault when the password file is missing or unreadable
 */
export function superuserTo(cluster: string, socketDirectory: string): EmbeddedConnection {
  return {
    host: socketDirectory,
    port: SOCKET_PORT,
    user: 'tocsin',
    password: readPassword(join(cluster, PASSWORD_FILE)),
    database: 'tocsin',
  };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new EmbeddedPostgresFault(
      `The password of the embedded database cannot be read (${errorText(error)}). ` +
        'Run this as the user that runs the server or as root, or bring the file back from a backup.',
    );
  }
}
