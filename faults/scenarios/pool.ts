import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Place } from '../place.ts';
import { percentile, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';
import { climbOf, LADDER_SECONDS, ladder, teamPage } from './escalation.ts';

/** Far more requests than a process has connections. */
const WAITING = 60;
/** Accepting pages and running stages have connections of their own, which other requests cannot take. */
const PROMPT_MS = 5_000;

/**
 * A table is locked, as by a careless migration, and requests that read it occupy all connections that requests have.
 */
export const heldConnections: Scenario = {
  name: 'pool',
  promise:
    'a table is locked for 20 s, and 60 clients request data from it: they get 503, and pages are accepted and continue',
  async run({ short, place }) {
    const at = await place(ladder);
    const server = await at.start('all');
    const load = at.load({ targets: () => [server.url], perSecond: 20 });
    const climbing = at.load({ targets: () => [server.url], perSecond: 5, name: 'ladder', page: teamPage });
    await delay(2_000);
    const locked = await lockTable(at);
    let over = false;
    const asked = { answered: 0, refused: 0, odd: new Set<number>() };
    const asking = Promise.all(
      Array.from({ length: WAITING }, async () => {
        while (!over) {
          const status = await askForLocked(at, server.url);
          if (status === 503) asked.refused++;
          else if (status === 200) asked.answered++;
          else asked.odd.add(status);
          await delay(50);
        }
      }),
    );
    await delay(short ? 5_000 : 20_000);
    await locked.end();
    const freed = performance.now();
    over = true;
    const climbed = await climbing.end();
    const acceptedAgainMs = performance.now() - freed;
    await asking;
    await delay(LADDER_SECONDS * 1_000);
    const climbs = climbed.map((page) => climbOf(page, at.receiver.received));
    const latest = percentile(
      climbs.flatMap(({ lateMs }) => lateMs),
      1,
    );
    const verdict = await at.settle(load, { repeats: 0 });
    verdict.broken.push(...climbs.flatMap(({ wrong }) => wrong).slice(0, 5));
    if (asked.refused === 0) verdict.broken.push('nobody was refused, so that there were connections left');
    const refused = load.answers.get(503) ?? 0;
    if (refused > 0) verdict.broken.push(`${refused} pages were refused`);
    const slowest = Math.max(load.longestMs, climbing.longestMs);
    if (slowest > PROMPT_MS) verdict.broken.push(`a page was accepted after ${seconds(slowest)}`);
    if (!(latest <= PROMPT_MS)) verdict.broken.push(`a stage came ${seconds(latest)} late`);
    const odd = [...load.answers.keys(), ...asked.odd].filter((status) => ![200, 503].includes(status));
    if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
    const figures = {
      'waited in vain': asked.refused,
      'accepts again after': seconds(acceptedAgainMs),
      'stage late, slowest': seconds(latest),
      'pages refused': refused,
    };
    return { ...verdict, figures: { ...figures, ...verdict.figures } };
  },
};

/** Locks a table that only certain lists read. */
async function lockTable({ cluster }: Place): Promise<Client> {
  const client = new Client({ connectionString: cluster.database.url });
  await client.connect();
  await client.query('begin; lock table calendar_feeds in access exclusive mode');
  return client;
}

async function askForLocked({ cluster: { acme } }: Place, url: string): Promise<number> {
  const answer = await fetch(`${url}/api/calendars`, {
    headers: { authorization: `Bearer ${acme.key}` },
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  await answer?.text().catch(() => '');
  return answer?.status ?? 0;
}
