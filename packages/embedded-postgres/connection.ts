import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresFault, errorText } from './fault.ts';
import { SOCKET_PORT } from './settings.ts';

export const PASSWORD_FILE = 'tocsin.password';

/** How to reach the embedded database, as the driver takes it. It stays the same as long as a server lives. */
export interface EmbeddedConnection {
  /** The directory of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Owns the schema and may do nothing else: it runs no programs, reads no files and makes no extensions. */
const SERVICE_ROLE = 'tocsin_service';

/**
 * How the service and its commands reach the database.
 * @throws EmbeddedPostgresFault when the password may not be read or is gone
 */
export function connectionTo(cluster: string, socketDirectory: string): EmbeddedConnection {
  const superuser = superuserTo(cluster, socketDirectory);
  // Derived, so that there is no second file to lose; from one password the other cannot be computed.
  const password = createHmac('sha256', superuser.password).update(SERVICE_ROLE).digest('base64url');
  return { ...superuser, user: SERVICE_ROLE, password };
}

/**
 * The superuser that initdb made. Only the set-up of a starting database uses it.
 * @throws EmbeddedPostgresFault when the password may not be read or is gone
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
