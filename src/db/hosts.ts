import { Client, type ClientConfig } from 'pg';
import { errorText } from '../kit/error-text.ts';
import { type DatabaseAddress, type Host, nameOf, readAddress, type SessionAttrs } from './address.ts';
import { breakConnection, closeConnection } from './connection.ts';
import { type Identity, isBehind, ReadOnlyFault, readIdentity, suits } from './identity.ts';

/** How long a server may take to identify itself. */
const PROBE_MS = 3_000;
/**
 * How long to wait for the other hosts after one is suitable: after a split brain, two may accept writes, and the later
 * timeline wins.
 */
const GRACE_MS = 500;

/** How long a choice of host is cached, so that a pool that opens many connections probes the hosts once. */
const KEPT_MS = 10_000;

/** The host chosen last, by address. */
const chosen = new Map<string, { host: Host; at: number }>();
const choosing = new Map<string, Promise<Host>>();

/** Clears the cache, so that the next connection probes all hosts. */
export function forgetHosts(): void {
  chosen.clear();
}

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * Connects to the first host of `connectionString` that satisfies `target_session_attrs`, as libpq does. With one host
 * and no `target_session_attrs`, it behaves like the driver's client.
 */
export class DatabaseClient extends Client {
  readonly #address: DatabaseAddress | null;
  readonly #settings: ClientConfig;

  constructor(config: ClientConfig = {}) {
    const address = choiceOf(config);
    const settings = address ? { ...config, connectionString: address.base } : config;
    super(settings);
    // A connection may break while its role is checked, before its owner can listen. Without a listener, that would end
    // the process. The statement that checks the role reports the error.
    this.on('error', () => undefined);
    this.#address = address;
    this.#settings = settings;
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | undefined {
    const opened = this.#open();
    if (!callback) return opened;
    const done = callback as (error: Error | null, client?: Client) => void;
    opened.then((client) => done(null, client), done);
    return undefined;
  }

  async #open(): Promise<Client> {
    const address = this.#address;
    if (!address) return super.connect();
    const host = await choose(address, this.#settings);
    this.#aim(host);
    try {
      await super.connect();
      await refuseOther(this, address.sessionAttrs, host);
      return this;
    } catch (error) {
      chosen.delete(keyOf(address));
      breakConnection(this);
      throw error;
    }
  }

  #aim(host: Host): void {
    Object.assign(this, host);
    Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, host);
  }
}

/** Null if there is only one host and any server is acceptable. */
function choiceOf({ connectionString }: ClientConfig): DatabaseAddress | null {
  if (connectionString === undefined) return null;
  const address = readAddress(connectionString);
  return address.hosts.length > 1 || address.sessionAttrs !== 'any' ? address : null;
}

/** Checks the role again, because the choice may be cached and roles change. */
async function refuseOther(client: Client, attrs: SessionAttrs, host: Host): Promise<void> {
  if (attrs === 'any' || attrs === 'prefer-standby' || suits(await readIdentity(client), attrs)) return;
  throw unsuited([nameOf(host)], attrs);
}

function unsuited(names: readonly string[], attrs: SessionAttrs): ReadOnlyFault {
  const writable = attrs === 'read-write' || attrs === 'primary';
  return new ReadOnlyFault(
    `the database at ${names.join(', ')} ${writable ? 'takes no writes now' : `is not ${attrs}`} (target_session_attrs=${attrs})`,
  );
}

function keyOf({ base, hosts, sessionAttrs }: DatabaseAddress): string {
  return JSON.stringify([base, hosts, sessionAttrs]);
}

function choose(address: DatabaseAddress, settings: ClientConfig): Promise<Host> {
  const key = keyOf(address);
  const known = chosen.get(key);
  if (known && performance.now() - known.at < KEPT_MS) return Promise.resolve(known.host);
  // Connections that open at the same time share one probe.
  const underWay =
    choosing.get(key) ??
    chooseNow(address, settings)
      .then((host) => {
        chosen.set(key, { host, at: performance.now() });
        return host;
      })
      .finally(() => choosing.delete(key));
  choosing.set(key, underWay);
  return underWay;
}

async function chooseNow(address: DatabaseAddress, settings: ClientConfig): Promise<Host> {
  const { hosts, sessionAttrs } = address;
  const answers = await probeAll(hosts, settings, (identity) => suits(identity, sessionAttrs));
  const first = best(answers.filter((answer) => answer.identity && suits(answer.identity, sessionAttrs)));
  if (first) return first.host;
  const reachable = answers.filter(({ identity }) => identity);
  if (sessionAttrs === 'prefer-standby' && reachable[0]) return reachable[0].host;
  if (reachable.length > 0)
    throw unsuited(
      reachable.map(({ host }) => nameOf(host)),
      sessionAttrs,
    );
  throw answers.find(({ error }) => error)?.error ?? new Error('no host of the database answered');
}

type Answer = { host: Host; identity: Identity | null; error: Error | null };

/**
 * The first suitable host in their order. If two accept writes after a split brain, the one that was promoted later.
 */
function best(answers: readonly Answer[]): Answer | undefined {
  return answers.find(
    (one) =>
      !answers.some((other) => one.identity && other.identity && isBehind(one.identity, other.identity)),
  );
}

/** The hosts that answered in time, in the order of the hosts. */
async function probeAll(
  hosts: readonly Host[],
  settings: ClientConfig,
  isRight: (identity: Identity) => boolean,
): Promise<Answer[]> {
  const answers = new Map<Host, Answer>();
  const enough = Promise.withResolvers<void>();
  const probes = hosts.map(async (host) => {
    const answer = await probe(host, settings);
    answers.set(host, answer);
    if (answer.identity && isRight(answer.identity)) setTimeout(enough.resolve, GRACE_MS).unref();
  });
  await Promise.race([Promise.all(probes), enough.promise]);
  return hosts.flatMap((host) => answers.get(host) ?? []);
}

async function probe(host: Host, settings: ClientConfig): Promise<Answer> {
  const client = new Client({
    ...settings,
    application_name: 'tocsin looks for the primary',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  Object.assign(client, host);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { host, identity: await readIdentity(client), error: null };
  } catch (error) {
    return { host, identity: null, error: error instanceof Error ? error : new Error(errorText(error)) };
  } finally {
    void closeConnection(client);
  }
}

/**
 * Probes all hosts of an address for one that accepts writes and was promoted after `known`; writes to `known` are lost
 * from then on. The next connections go to that host. Returns false if there is none, or only one host.
 */
export async function findLaterPrimary(connection: ClientConfig, known: Identity): Promise<boolean> {
  const address = choiceOf(connection);
  if (!address || address.hosts.length < 2) return false;
  const settings = { ...connection, connectionString: address.base };
  const answers = await probeAll(address.hosts, settings, ({ readOnly }) => !readOnly);
  const later = best(
    answers.filter(({ identity }) => identity && !identity.readOnly && isBehind(known, identity)),
  );
  if (!later) return false;
  chosen.set(keyOf(address), { host: later.host, at: performance.now() });
  return true;
}
