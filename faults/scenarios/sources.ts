import { setTimeout as delay } from 'node:timers/promises';
import { withTeam } from '../calls.ts';
import { startEvents } from '../events.ts';
import type { Scenario } from '../scenario.ts';

/** Notifications that one node may have in flight when it dies, at the load of this scenario. */
const IN_FLIGHT = 20;

export const deathsUnderEvents: Scenario = {
  name: 'source-events',
  promise:
    'SIGKILL of two nodes in turn while each event of a source is sent to both: one open page for each key, in the state of the last event',
  inShortForm: true,
  async run({ seconds: length, short, random, place }) {
    const at = await place(withTeam);
    const servers = await Promise.all([at.start('all'), at.start('all')]);
    const targets = () => servers.map(({ url }) => url);
    const events = at.watch(await startEvents(at.cluster, { targets, random, name: 'key' }));
    const end = performance.now() + length * 1_000;
    let kills = 0;
    while (kills < (short ? 2 : Number.POSITIVE_INFINITY) && performance.now() < end) {
      await delay(random.between(300, 1_500));
      await servers[kills++ % servers.length]?.replace('SIGKILL', random.between(0, 1_000));
    }
    const verdict = await at.settle(events, { repeats: kills * IN_FLIGHT });
    verdict.broken.push(...(await events.judge()));
    return { ...verdict, figures: { kills, 'dedup keys': events.keys(), ...verdict.figures } };
  },
};
