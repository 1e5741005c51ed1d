import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Account, accountWith, canEnter, postgresAccount, runningAsRoot } from './account.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import { type Home, lookAt } from './home.ts';

/** Clusters and programs that their user could not reach elsewhere. Only root ever puts anything there. */
export const SYSTEM_DIRECTORY = '/var/lib/tocsin';

/** The place of a cluster that exists. */
export interface Location {
  /** The cluster's real directory. */
  readonly directory: string;
  /** Its owner, as whom PostgreSQL runs. */
  readonly account: Account;
}

/** Where a cluster is to be made. Nothing is there yet. */
export interface Site {
  /** Inside DATA_DIR, or a new directory elsewhere that DATA_DIR will only link to. */
  readonly parent: string;
  readonly relocated: boolean;
  readonly account: Account;
}

/**
 * The cluster of this DATA_DIR; undefined when it has none yet. It is run by whoever owns it, so that neither its
 * owner nor its permissions ever need to change.
 * @throws EmbeddedPostgresFault when there is one that we cannot run
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

/** Starting empty instead would look like the loss of everything. */
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

/** Chooses where a new cluster goes and who will run it. Changes no permissions but those of DATA_DIR itself. */
export function siteForCluster(home: Home, systemDirectory: string): Site {
  if (!runningAsRoot()) return { parent: home.dataDir, relocated: false, account: postgresAccount() };
  const account = ownerOf(home) ?? postgresAccount();
  if (canReach(account, home)) return { parent: home.dataDir, relocated: false, account };
  return { parent: newParent(systemDirectory), relocated: true, account };
}

/** Whoever DATA_DIR was prepared for, if that is a user that the system knows. */
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

/** A new name each time: a DATA_DIR that was wiped must not find the database of its former life. */
function newParent(systemDirectory: string): string {
  return join(systemDirectory, randomBytes(8).toString('hex'));
}

/** A directory that others may enter, whatever the umask. Those that are there already stay as they are. */
export function makeOpen(directory: string): void {
  const top = mkdirSync(directory, { recursive: true });
  if (top === undefined) return;
  for (let made = directory; made.length >= top.length; made = dirname(made)) chmodSync(made, 0o755);
}
