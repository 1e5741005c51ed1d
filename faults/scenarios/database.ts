import { setTimeout as delay } from 'node:timers/promises';
import { startCalls, withTeam } from '../calls.ts';
import { mortalPostgres } from '../postgres.ts';
import type { Scenario } from '../scenario.ts';

/** Notifications that one process may have in flight when the database fails, and may repeat afterwards. */
const IN_FLIGHT = 20;

export const deathOfTheDatabase: Scenario = {
  name: 'postgres-kill',
  promise:
    'SIGKILL, SIGQUIT and SIGINT of PostgreSQL under load: what was accepted is on disk, and continues by itself',
  inShortForm: true,
  async run({ seconds, short, random, place }) {
    const postgres = await mortalPostgres();
    try {
      const at = await place({ ...withTeam, postgres });
      const servers = [await at.start('all'), await at.start('worker')];
      const load = at.load({ targets: () => servers.slice(0, 1).map(({ url }) => url) });
      const calls = await startCalls(at.cluster, servers[0]?.url ?? '');
      const end = performance.now() + seconds * 1_000;
      let kills = 0;
      let longestAwayMs = 0;
      while (performance.now() < end && kills < (short ? 1 : 1_000)) {
        await delay(random.between(500, 2_500));
        const began = performance.now();
        await postgres.end(random.pick(['SIGKILL', 'SIGKILL', 'SIGQUIT', 'SIGINT'] as const));
        await postgres.start();
        longestAwayMs = Math.max(longestAwayMs, performance.now() - began);
        kills++;
      }
      const called = await calls.settle();
      const verdict = await at.settle(load, { repeats: kills * IN_FLIGHT });
      verdict.broken.push(...called.broken);
      await at.end();
      const away = `${(longestAwayMs / 1_000).toFixed(2)} s`;
      const figures = { kills, 'away, longest': away, 'calls of a webhook': called.accepted };
      return { ...verdict, figures: { ...figures, ...verdict.figures } };
    } finally {
      await postgres.remove();
    }
  },
};

export const absenceOfTheDatabase: Scenario = {
  name: 'postgres-absent',
  promise:
    'PostgreSQL is away for 30 s: requests are refused with 503, and everything continues within seconds after it is back',
  async run({ place }) {
    const postgres = await mortalPostgres();
    try {
      const at = await place({ postgres });
      const server = await at.start('all');
      const load = at.load({ targets: () => [server.url] });
      await delay(2_000);
      await postgres.end('SIGINT');
      await delay(30_000);
      const before = load.accepted.length;
      await postgres.start();
      const back = performance.now();
      while (load.accepted.length === before && performance.now() - back < 60_000) await delay(20);
      const resumed = performance.now() - back;
      await delay(3_000);
      const verdict = await at.settle(load, { repeats: IN_FLIGHT });
      const odd = [...load.answers.keys()].filter((status) => ![200, 503].includes(status));
      if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
      if (resumed > 5_000) verdict.broken.push(`accepting again took ${(resumed / 1_000).toFixed(1)} s`);
      await at.end();
      const refused = load.answers.get(503) ?? 0;
      if (refused === 0) verdict.broken.push('nothing was refused, so that the database was not away');
      return {
        ...verdict,
        figures: { 'accepts again after': `${(resumed / 1_000).toFixed(2)} s`, refused, ...verdict.figures },
      };
    } finally {
      await postgres.remove();
    }
  },
};
