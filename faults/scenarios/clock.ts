import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { percentile, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';
import { climbOf, LADDER_SECONDS, ladder, teamPage } from './escalation.ts';

const SHIFTED = fileURLToPath(new URL('../shifted-clock.ts', import.meta.url));

/** Receivers of Standard Webhooks refuse a timestamp that is older than five minutes. */
const FRESH_MS = 5 * 60_000;

/** Delays of stages count from the previous stage; a node's clock may neither lengthen nor shorten them. */
const PROMPT_MS = 10_000;

/**
 * The clocks of two nodes jump by an hour independently. Only the database's clock may matter. Jumps of that clock have
 * a scenario of their own.
 */
export const steppingClocks: Scenario = {
  name: 'clock',
  promise:
    'the clocks of the nodes jump by an hour, both ways: nothing is early, late or signed with a wrong time',
  async run({ seconds: length, random, place }) {
    const at = await place(ladder);
    const env = { NODE_OPTIONS: `--import=${SHIFTED}` };
    const servers = [await at.start('all', env), await at.start('all', env)];
    const targets = () => servers.map(({ url }) => url);
    const load = at.load({ targets, perSecond: 20 });
    const climbing = at.load({ targets, perSecond: 3, name: 'ladder', page: teamPage });
    const end = performance.now() + Math.min(length, 60) * 1_000;
    let steps = 0;
    while (performance.now() < end) {
      await delay(random.between(500, 2_000));
      random.pick(servers).process.child.kill('SIGUSR2');
      steps++;
    }
    const climbed = await climbing.end();
    await delay(LADDER_SECONDS * 1_000);
    const climbs = climbed.map((page) => climbOf(page, at.receiver.received));
    const latest = percentile(
      climbs.flatMap(({ lateMs }) => lateMs),
      1,
    );
    const verdict = await at.settle(load, { repeats: 0, withinMs: 10_000 });
    verdict.broken.push(...climbs.flatMap(({ wrong }) => wrong).slice(0, 5));
    if (!(latest <= PROMPT_MS)) verdict.broken.push(`a stage came ${seconds(latest)} late`);
    if (verdict.slowestArrivalMs > PROMPT_MS) verdict.broken.push('a page waited for the clock of a node');
    const ages = at.receiver.received.map(({ headers, at: arrived }) =>
      Math.abs(arrived.getTime() - Number(headers['webhook-timestamp']) * 1_000),
    );
    const stale = ages.filter((age) => age > FRESH_MS).length;
    if (stale > 0) verdict.broken.push(`${stale} notifications were signed with the time of a wrong clock`);
    const figures = {
      steps,
      climbed: climbed.length,
      'stage late, slowest': seconds(latest),
      'signature off by, most': seconds(Math.max(0, ...ages)),
    };
    return { ...verdict, figures: { ...figures, ...verdict.figures } };
  },
};
