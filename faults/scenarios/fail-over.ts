import { setTimeout as delay } from 'node:timers/promises';
import { type Replica, type Replicas, replicas } from '../../testing/replicas.ts';
import type { Load } from '../load.ts';
import { seconds as inSeconds, type Place, type Server } from '../place.ts';
import type { Scenario, Stage, Verdict } from '../scenario.ts';

/** Time from the moment at which another server accepts writes until a new page is accepted and all nodes are ready. */
const BACK_WITHIN_MS = 60_000;
const OVER_A_MINUTE_MS = 70_000;
/** More pages than can be accepted in a minute, so everything that nodes remember may be sent again. */
const REMEMBERED = 60 * 40;

type Scene = { pair: Replicas; at: Place; load: Load; servers: Server[]; stage: Stage };

type Plan = {
  /** Commits wait for the second server. */
  synchronous?: boolean;
  /** The new primary may lack the latest commits. */
  forgetful?: boolean;
  /** Makes another server the primary. Returns figures once it accepts writes. */
  fault(scene: Scene): Promise<Verdict['figures']>;
  /** Runs after all nodes have switched to the new primary. */
  afterwards?(scene: Scene): Promise<void>;
};

/** Nodes under load that nobody restarts, on two servers that are both in DATABASE_URL. */
async function failOver(
  stage: Stage,
  { synchronous, forgetful = false, fault, afterwards }: Plan,
): Promise<Verdict> {
  const pair = await replicas();
  try {
    if (synchronous) await pair.makeSynchronous();
    const at = await stage.place({ database: { url: pair.url, drop: async () => undefined } });
    const roles = stage.short ? (['api', 'worker'] as const) : (['api', 'worker', 'all'] as const);
    const servers = await Promise.all(roles.map((role) => at.start(role)));
    // Only one node gets pages, because each node remembers only the pages that it accepted itself.
    const load = at.load({ targets: () => servers.slice(0, 1).map(({ url }) => url) });
    const scene = { pair, at, load, servers, stage };
    await delay(stage.short ? 2_000 : 10_000);
    const figures = await fault(scene);
    const back = await untilBack(scene);
    await afterwards?.(scene);
    await delay(2_000);
    const verdict = await at.settle(load, { repeats: forgetful ? REMEMBERED : 40, forgetful });
    const odd = [...load.answers.keys()].filter((status) => ![200, 503].includes(status));
    if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
    verdict.broken.push(...back.broken);
    await at.end();
    const refused = load.answers.get(503) ?? 0;
    return {
      ...verdict,
      figures: { ...figures, 'accepts again after': back.after, refused, ...verdict.figures },
    };
  } finally {
    await pair.remove();
  }
}

/** Waits until a new page is accepted and every node is ready. */
async function untilBack({ load, servers }: Scene): Promise<{ after: string; broken: string[] }> {
  const began = Date.now();
  const deadline = began + BACK_WITHIN_MS;
  const accepted = () => load.accepted.find(({ sentAt }) => sentAt >= began);
  while (!accepted() && Date.now() < deadline) await delay(20);
  const after = (accepted()?.acceptedAt ?? Number.POSITIVE_INFINITY) - began;
  const notReady = async () => {
    const answers = await Promise.all(servers.map(({ url }) => fetch(`${url}/readyz`).catch(() => null)));
    return servers.filter((_, index) => !answers[index]?.ok).map(({ role }) => role);
  };
  let waiting = await notReady();
  while (waiting.length > 0 && Date.now() < deadline) waiting = await delay(100).then(notReady);
  return {
    after: inSeconds(after),
    broken: [
      ...(Number.isFinite(after) ? [] : [`no page was accepted within ${BACK_WITHIN_MS / 1_000} s`]),
      ...waiting.map((role) => `the ${role} was not ready within ${BACK_WITHIN_MS / 1_000} s`),
    ],
  };
}

export const switchover: Scenario = {
  name: 'switchover',
  promise:
    'the primary is stopped, its replica promoted, and the former primary returns as a replica: nodes move by themselves, and nothing is lost',
  run: (stage) =>
    failOver(stage, {
      async fault({ pair }) {
        const end = performance.now() + stage.seconds * 1_000;
        let [from, to]: [Replica, Replica] = [pair.first, pair.second];
        let rounds = 0;
        do {
          if (rounds > 0) await delay(stage.random.between(3_000, 8_000));
          await from.stop('fast');
          await to.promote();
          from.follow(to);
          await from.start();
          [from, to] = [to, from];
          rounds++;
        } while (!stage.short && performance.now() < end);
        return { switchovers: rounds };
      },
    }),
};

export const failOverInStep: Scenario = {
  name: 'failover-sync',
  promise:
    'the primary is killed and its synchronous replica promoted: nothing is lost, and every repeat is marked',
  run: (stage) =>
    failOver(stage, {
      synchronous: true,
      async fault({ pair }) {
        await pair.first.stop('kill');
        await pair.second.promote();
        return {};
      },
    }),
};

export const failOverWithLoss: Scenario = {
  name: 'failover-async',
  promise:
    'the primary is killed before its replica has the last requests, and the replica is promoted 70 s later (at once in the short form): the node that accepted them writes them again, and every repeat is marked',
  run: (stage) =>
    failOver(stage, {
      forgetful: true,
      async fault({ pair, load }) {
        pair.copying.set('refused');
        const atCut = load.accepted.length;
        await delay(stage.short ? 1_500 : stage.random.between(3_000, 20_000));
        await untilAccepted(load, atCut + 3);
        const stored = await requestsIn(pair.first);
        await pair.first.stop('kill');
        // Counted before the promotion, because the nodes write missing pages within milliseconds of it.
        const lacking = stored - (await requestsIn(pair.second));
        // Longer than nodes usually remember: a person may have to decide about a promotion, and the pages that were
        // accepted last must survive until then.
        const away = stage.short ? 0 : OVER_A_MINUTE_MS;
        await delay(away);
        await pair.second.promote();
        if (lacking <= 0) throw new Error('the replica lacked nothing, so that there was nothing to show');
        return { 'lacking at the promotion': lacking, 'without a primary for': inSeconds(away) };
      },
    }),
};

export const splitBrain: Scenario = {
  name: 'split-brain',
  promise:
    'a replica is promoted while the primary keeps running: nodes move to the later one within seconds, and write there what the other one accepted',
  run: (stage) =>
    failOver(stage, {
      forgetful: true,
      async fault({ pair, load }) {
        await pair.second.promote();
        const before = load.accepted.length;
        const began = performance.now();
        await untilDeserted(pair.first);
        return {
          'left the former primary after': inSeconds(performance.now() - began),
          'accepted there meanwhile': load.accepted.length - before,
        };
      },
      afterwards: ({ pair }) => pair.first.stop('kill'),
    }),
};

async function untilAccepted(load: Load, pages: number): Promise<void> {
  const deadline = performance.now() + BACK_WITHIN_MS;
  while (load.accepted.length < pages && performance.now() < deadline) await delay(20);
}

async function requestsIn(server: Replica): Promise<number> {
  const [row] = await server.query('select count(*)::integer as n from requests');
  return Number(row?.n);
}

/** Waits until no node has a connection to it; connections of this suite are ignored. */
async function untilDeserted(former: Replica): Promise<void> {
  const names = `'tocsin paging', 'tocsin api', 'tocsin node'`;
  for (const deadline = performance.now() + BACK_WITHIN_MS; performance.now() < deadline; await delay(50)) {
    const held = await former.query(`select from pg_stat_activity where application_name in (${names})`);
    if (held.length === 0) return;
  }
  throw new Error(`nodes still held connections to the former primary after ${BACK_WITHIN_MS / 1_000} s`);
}
