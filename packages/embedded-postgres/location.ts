import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Account, accountWith, canEnter, postgresAccount, runningAsRoot } from './account.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import { type Home, lookAt } from './home.ts';

/** The place for clusters and programs that their user could not reach elsewhere. Only root writes to it. */
export const SYSTEM_DIRECTORY = '/var/lib/tocsin';

/** The location of an existing cluster. */
export interface Location {
  /** The real path of the cluster's directory. */
  readonly directory: string;
  /** The owner of the cluster, who runs PostgreSQL. */
  readonly account: Account;
}

/** Where a new cluster will be created. */
export interface Site {
  /** DATA_DIR, or a new directory elsewhere that DATA_DIR will link to. */
  readonly parent: string;
  readonly relocated: boolean;
  readonly account: Account;
}

/**
 * The cluster of this DATA_DIR; undefined when there is none yet. Its owner runs it, so that neither its owner nor its
 * permissions have to change.
 * @throws EmbeddedPostgresFault when the cluster cannot be run
 */
export function existingCluster(home: Home): Location | undefined {
  const found = lookAt(home.cluster);
  if (!found) return undefined;
  const owner = statSync(home.cluster, { throwIfNoEntry: false });
  if (!owner) throw danglingLink(home);
  const directory = realpathSync(home.cluster);
  const account = accountWith(owner.uid, owner.gid);
  refuseForeign(directory, account);
  if (runningAsRoot() && !canEnter(account, directory)) throw unreachable(directory, account);
  return { directory, account };
}

/** Starting with an empty database instead would look as if all data were lost. */
function danglingLink(home: Home): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    `The database of this DATA_DIR lies in ${readlinkSync(home.cluster)}, and that directory is gone. ` +
      `Bring it back, or delete the link ${home.cluster} to start with an empty database.`,
  );
}

function refuseForeign(directory: string, owner: Account): void {
  if (runningAsRoot()) {
    if (owner.uid !== 0) return;
    throw new EmbeddedPostgresFault(
      `The database in ${directory} belongs to root, as whom PostgreSQL does not run. ` +
        `Give it to an unprivileged user: chown -R ${postgresAccount().name ?? 'tocsin'}: ${directory}`,
    );
  }
  if (owner.uid === process.getuid?.()) return;
  throw new EmbeddedPostgresFault(
    `The database in ${directory} belongs to ${nameOf(owner)}, not to the user that runs this. ` +
      `Run it as ${nameOf(owner)} or as root, or give the directory to this user with chown -R.`,
  );
}

function unreachable(directory: string, account: Account): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    `${nameOf(account)}, who owns the database in ${directory} and runs PostgreSQL, may not enter that directory any ` +
      'more. Allow entering the directories above it (chmod o+x), or move DATA_DIR to where that user may go.',
  );
}

function nameOf(account: Account): string {
  return account.name ?? `user ${account.uid}`;
}

/** Chooses where to create a new cluster and who will run it. Changes only the permissions of DATA_DIR itself. */
export function siteForCluster(home: Home, systemDirectory: string): Site {
  if (!runningAsRoot()) return { parent: home.dataDir, relocated: false, account: postgresAccount() };
  const account = ownerOf(home) ?? postgresAccount();
  if (canReach(account, home)) return { parent: home.dataDir, relocated: false, account };
  return { parent: newParent(systemDirectory), relocated: true, account };
}

/** The owner of DATA_DIR, unless it is root or a user that the system does not know. */
function ownerOf(home: Home): Account | undefined {
  const { uid, gid } = statSync(home.dataDir);
  const owner = accountWith(uid, gid);
  return uid === 0 || owner.name === undefined ? undefined : owner;
}

function canReach(account: Account, home: Home): boolean {
  if (canEnter(account, home.dataDir)) return true;
  if (!canEnter(account, dirname(home.dataDir))) return false;
  chmodSync(home.dataDir, (statSync(home.dataDir).mode & 0o777) | 0o011);
  return canEnter(account, home.dataDir);
}

/** A new name each time, so that a DATA_DIR that was emptied does not get its former database back. */
function newParent(systemDirectory: string): string {
  return join(systemDirectory, randomBytes(8).toString('hex'));
}

/** Creates a directory that other users can enter, regardless of the umask. Existing directories do not change. */
export function makeOpen(directory: string): void {
  const top = mkdirSync(directory, { recursive: true });
  if (top === undefined) return;
  for (let made = directory; made.length >= top.length; made = dirname(made)) chmodSync(made, 0o755);
}
