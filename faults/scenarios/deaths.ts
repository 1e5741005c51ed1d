import { setTimeout as delay } from 'node:timers/promises';
import { startCalls, withTeam } from '../calls.ts';
import { type Place, percentile, type Server, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Notifications that one worker may have in flight when it dies, at the load of these scenarios. */
const IN_FLIGHT = 20;

/** The only process dies and is restarted, as by a process supervisor. */
export const deathOfTheOnlyProcess: Scenario = {
  name: 'kill-all',
  promise:
    'SIGKILL of the only process at random moments: no accepted page or call of a webhook is lost, repeats are marked',
  inShortForm: true,
  async run({ seconds: length, short, random, place }) {
    const at = await place(withTeam);
    const server = await at.start('all');
    const load = at.load({ targets: () => [server.url] });
    const calls = await startCalls(at.cluster, server.url);
    const starts: number[] = [];
    const kills = await killUntil(short ? 2 : Number.POSITIVE_INFINITY, length, async () => {
      await delay(random.between(300, 1_500));
      const killedAt = performance.now();
      await server.replace('SIGKILL', 0);
      starts.push(performance.now() - killedAt);
    });
    const called = await calls.settle();
    const verdict = await at.settle(load, { repeats: kills * IN_FLIGHT });
    verdict.broken.push(...called.broken);
    const slowest = Math.max(...starts);
    // The short form runs on machines of any speed, so its limit only detects what never arrives.
    const within = short ? 60_000 : 10_000;
    if (verdict.slowestArrivalMs > slowest + within)
      verdict.broken.push(
        `pages that were held arrived more than ${within / 1_000} s after the next process started`,
      );
    return {
      ...verdict,
      figures: {
        kills,
        'next process serves after': seconds(slowest),
        'calls of a webhook': called.accepted,
        ...verdict.figures,
      },
    };
  },
};

export const deathOfOneOfFour: Scenario = {
  name: 'kill-roles',
  promise: 'SIGKILL of any of two API and two worker processes: the others continue',
  async run({ seconds: length, random, place }) {
    const at = await place();
    const servers = await Promise.all(
      (['api', 'api', 'worker', 'worker'] as const).map((role) => at.start(role)),
    );
    const load = at.load({
      targets: () => servers.filter(({ role }) => role === 'api').map(({ url }) => url),
    });
    const kills = await killUntil(Number.POSITIVE_INFINITY, length, async () => {
      await delay(random.between(300, 1_500));
      await random.pick(servers).replace('SIGKILL', random.between(0, 1_000));
    });
    const verdict = await at.settle(load, { repeats: kills * IN_FLIGHT });
    return { ...verdict, figures: { kills, ...verdict.figures } };
  },
};

/** Three nodes are stopped gracefully one after the other, as in a rolling upgrade. */
export const rollingRestart: Scenario = {
  name: 'rolling',
  promise: 'SIGTERM of each of three nodes in turn: nothing is lost and nothing is repeated',
  async run({ seconds: length, random, place }) {
    const at = await place();
    const servers = await Promise.all([at.start('all'), at.start('all'), at.start('all')]);
    const load = at.load({ targets: () => servers.map(({ url }) => url) });
    let turn = 0;
    const restarts = await killUntil(Number.POSITIVE_INFINITY, length, async () => {
      await delay(random.between(200, 600));
      await servers[turn++ % servers.length]?.replace('SIGTERM', 0);
    });
    const verdict = await at.settle(load, { repeats: 0 });
    return { ...verdict, figures: { restarts, ...verdict.figures } };
  },
};

/** How long the work of a dead node waits until another node takes it over. */
export const takeOver: Scenario = {
  name: 'take-over',
  promise:
    'SIGKILL of exactly the worker that is sending: another one sends its work within 5 s (99th percentile)',
  inShortForm: true,
  async run({ short, place }) {
    const at = await place();
    const api = await at.start('api');
    const workers = await Promise.all([at.start('worker'), at.start('worker')]);
    const rounds = short ? 2 : 50;
    const waits: number[] = [];
    for (let round = 0; round < rounds; round++) waits.push(await killTheHolder(at, api, workers, round));
    const slowest = percentile(waits, 0.99);
    return {
      figures: {
        kills: rounds,
        median: seconds(percentile(waits, 0.5)),
        '90th': seconds(percentile(waits, 0.9)),
        '99th': seconds(slowest),
      },
      // Within `npm test` the machine has other load.
      broken: [
        ...(slowest <= (short ? 20_000 : 5_000) ? [] : [`the 99th percentile is ${seconds(slowest)}`]),
        ...at.logged(),
      ],
    };
  },
};

async function killTheHolder(at: Place, api: Server, workers: Server[], round: number): Promise<number> {
  const { receiver, cluster } = at;
  receiver.always({ status: 204, delayMs: 8_000 });
  const load = at.load({ targets: () => [api.url], perSecond: 8, name: `round ${round}` });
  const first = await receiver.expect(({ body }) => body.title.startsWith(`round ${round} `), 20_000);
  const holder = await cluster.db
    .selectFrom('deliveries')
    .innerJoin('nodes', 'nodes.id', 'deliveries.lease_owner')
    .select('nodes.pid')
    .where('deliveries.id', '=', first.id)
    .executeTakeFirstOrThrow();
  receiver.always(null);
  const victim = workers.find(({ process }) => process.pid === holder.pid);
  const killedAt = performance.now();
  const replaced = victim?.replace('SIGKILL', 0);
  await receiver.expect(({ id, body }) => id === first.id && body.repeat, 60_000);
  const waited = performance.now() - killedAt;
  await replaced;
  await load.end();
  return waited;
}

async function killUntil(most: number, forSeconds: number, kill: () => Promise<void>): Promise<number> {
  const end = performance.now() + forSeconds * 1_000;
  let kills = 0;
  while (kills < most && performance.now() < end) {
    await kill();
    kills++;
  }
  return kills;
}
