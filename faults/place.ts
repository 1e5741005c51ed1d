import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../src/db/away.ts';
import type { TestDatabase } from '../testing/database.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { freePort } from '../testing/free-port.ts';
import type { OrganizationSpec } from '../testing/organization.ts';
import {
  type Cluster,
  cluster,
  type ServerProcess,
  type Settling,
  type Surroundings,
} from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';
import { broken, judge, titleOf, untilArrived } from './ledger.ts';
import { type Load, type LoadOptions, startLoad } from './load.ts';
import type { MortalPostgres } from './postgres.ts';
import type { Random } from './random.ts';
import type { Verdict } from './scenario.ts';

export type Role = 'all' | 'api' | 'worker';

export type PlaceOptions = {
  organization?(receiver: WebhookReceiver): OrganizationSpec | Settling;
  env?: Record<string, string>;
  /** A PostgreSQL instead of the one that scenarios share. */
  postgres?: MortalPostgres;
  /** A database instead of a new one with the newest schema. */
  database?: TestDatabase;
};

/** A process with a fixed role, port and environment. Its successor takes these over when it dies. */
export type Server = {
  role: Role;
  url: string;
  process: ServerProcess;
  /** Ends the process. Its successor starts after `afterMs`, or never with null. Resolves when the successor serves. */
  replace(signal: 'SIGKILL' | 'SIGTERM', afterMs: number): Promise<void>;
};

/** `slowestArrivalMs`: the longest time from acceptance to first arrival. */
export type Settled = Verdict & { slowestArrivalMs: number };

/** `except`: titles of pages that are not of this load. */
export type Bound = {
  repeats: number;
  withinMs?: number;
  forgetful?: boolean;
  except?: (title: string) => boolean;
};

/** Real processes on a real database, and the receivers outside, which record what arrives. */
export type Place = {
  cluster: Cluster;
  receiver: WebhookReceiver;
  start(role: Role, env?: Record<string, string>, port?: number, where?: Surroundings): Promise<Server>;
  load(options: Partial<LoadOptions> & { targets(): readonly string[] }): Load;
  /** Ends this load when the place ends, unless the scenario has ended it. */
  watch<Kind extends Load>(load: Kind): Kind;
  /** Ends the load, waits for everything in flight, and returns which promises held. */
  settle(load: Load, bound: Bound): Promise<Settled>;
  /**
   * Errors that the processes logged. The faults of scenarios are expected conditions, so they must not be logged as
   * errors.
   */
  errors(): string[];
  /** The first of these errors as broken promises; included in `settle`. */
  logged(): string[];
  /** Idempotent. */
  end(): Promise<void>;
};

export async function makePlace(
  name: string,
  postgres: () => Promise<MortalPostgres>,
  random: Random,
  options: PlaceOptions,
): Promise<Place> {
  const receiver = await webhookReceiver();
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-faults-log-'));
  const logFile = join(directory, 'log');
  const output = openSync(logFile, 'a');
  const organization = options.organization?.(receiver) ?? { people: webhookPeople(receiver, 'ada') };
  const database = options.database ?? (await (options.postgres ?? (await postgres())).database());
  const made = await cluster(organization, options.env ?? {}, { database, output });
  receiver.secret = made.acme.webhookSecret;
  const loads = new Set<Load>();
  let ended = false;

  const errors = () =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('{') || /"level":"(error|fatal)"/.test(line))
      .filter((line) => line.trim() !== '');
  const logged = () =>
    errors()
      // A crash prints more than one line.
      .filter((line, index) => index < 3 || (index < 30 && !line.startsWith('{')))
      .map((line) => `logged as an error: ${line.slice(0, 400)}`);

  function watch<Kind extends Load>(load: Kind): Kind {
    loads.add(load);
    return load;
  }

  return {
    cluster: made,
    receiver,
    async start(role, env = {}, chosenPort?: number, where: Surroundings = {}) {
      const port = chosenPort ?? (await freePort());
      const settings = { role, port, env, ...where };
      const server: Server = {
        role,
        url: `http://127.0.0.1:${port}`,
        process: await made.start(settings),
        async replace(signal, afterMs) {
          await server.process.end(signal);
          await new Promise((resolve) => setTimeout(resolve, afterMs));
          server.process = await made.start(settings);
        },
      };
      return server;
    },
    load: (settings) => watch(startLoad({ key: made.acme.key, perSecond: 40, random, name, ...settings })),
    watch,
    async settle(load, { repeats, withinMs = 45_000, forgetful = false, except = () => false }) {
      const pages = await load.end();
      await untilArrived(receiver, pages, withinMs);
      const judged = judge(
        pages,
        receiver.received.filter(({ body }) => !except(titleOf(body))),
        forgetful,
      );
      return {
        slowestArrivalMs: Math.max(0, ...judged.latencies),
        figures: {
          accepted: judged.accepted,
          lost: judged.lost.length,
          repeats: judged.repeats,
          'arrived, 99th': seconds(percentile(judged.latencies, 0.99)),
          'longest until accepted': seconds(load.longestMs),
        },
        broken: [
          ...broken(judged, repeats),
          ...(await unfinished(made, load)),
          ...illFormed(receiver),
          ...logged(),
        ],
      };
    },
    errors,
    logged,
    async end() {
      if (ended) return;
      ended = true;
      for (const load of loads) await load.end().catch(() => undefined);
      await made.stop();
      await receiver.stop();
      closeSync(output);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Longer than a lease: when a node could not record what it sent, the next node does so. */
const NOTED_WITHIN_MS = 60_000;

/** Requests whose page arrived but whose status is not succeeded, as broken promises. */
async function unfinished({ db }: Cluster, load: Load): Promise<string[]> {
  const deadline = performance.now() + NOTED_WITHIN_MS;
  for (;;) {
    const problem = await notSucceeded(db, load).catch(brokenConnection);
    if (problem === null) return [];
    if (performance.now() >= deadline) return [problem];
    // A delivery is recorded shortly after it was sent.
    await delay(200);
  }
}

/** After a failover, a pooled connection of this suite may be to the former primary, once. */
function brokenConnection(error: unknown): string {
  if (!isDatabaseAway(error)) throw error;
  return `the state of the requests could not be read: ${(error as Error).message}`;
}

async function notSucceeded(db: Cluster['db'], load: Load): Promise<string | null> {
  const rows = await db
    .selectFrom('requests')
    .select(['id', 'status'])
    .where('status', '<>', 'succeeded')
    .execute();
  const ours = new Set(load.accepted.map(({ requestId }) => requestId));
  const open = rows.filter(({ id }) => ours.has(id));
  return open.length > 0
    ? `${open.length} requests say ${open[0]?.status} although their page arrived`
    : null;
}

/** Invalid requests at the receiver, for example with a wrong signature. */
export function illFormed(receiver: WebhookReceiver): string[] {
  receiver.inbox.takeAll();
  try {
    receiver.assertNothingUnexpected();
    return [];
  } catch (error) {
    return [(error as Error).message.slice(0, 500)];
  }
}

/** The value below which the share `share` of all values lies; NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}
