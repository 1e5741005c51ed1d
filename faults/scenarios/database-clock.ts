import { setTimeout as delay } from 'node:timers/promises';
import { judge } from '../ledger.ts';
import type { SentPage } from '../load.ts';
import { type Place, seconds } from '../place.ts';
import { mortalPostgres } from '../postgres.ts';
import type { Scenario, Verdict } from '../scenario.ts';
import { type SettableClock, settableClock } from '../settable-clock.ts';
import { climbOf, LADDER_SECONDS, ladder, teamPage } from './escalation.ts';
import { theBusiest } from './frozen.ts';

const HOUR_SECONDS = 3_600;
/** Summer time ends in Berlin: 03:00 becomes 02:00. */
const CHANGE = Temporal.Instant.from('2026-10-25T01:00:00Z');
const ZONE = 'Europe/Berlin';
/** A page that arrives later than this was delayed by a clock. */
const PROMPT_MS = 10_000;
/** The leases of a frozen worker end after 30 s, by any clock. */
const LEASES_END_MS = 50_000;

/**
 * The clock of the database's machine is set, as when a virtual machine resumes or a time source is wrong. All times of
 * the service come from it. A jump forward cannot be told from an hour in which nothing ran, so everything that waited
 * becomes due. A jump back must delay nothing.
 */
export const steppingDatabaseClock: Scenario = {
  name: 'database-clock',
  promise:
    "the database's clock jumps by an hour, both ways, also at the end of summer time and while a sending worker is frozen: no page waits for it",
  async run({ seconds: length, random, place }) {
    const clock = settableClock(ZONE);
    if (!clock) return { figures: {}, broken: [], skipped: 'install the Debian package libfaketime' };
    const base = Math.round((CHANGE.epochMilliseconds - Date.now()) / 1_000) - 25;
    clock.set(base);
    const postgres = await mortalPostgres(undefined, { wrap: clock.wrap, settings: { timezone: ZONE } });
    try {
      const at = await place({ ...ladder, postgres });
      const api = await at.start('api');
      const workers = [await at.start('worker'), await at.start('worker')];
      const load = at.load({ targets: () => [api.url], perSecond: 15 });
      const climbing = at.load({ targets: () => [api.url], perSecond: 3, name: 'ladder', page: teamPage });
      // The change of summer time happens meanwhile; nodes write heartbeats.
      await delay(20_000);
      const forward: number[] = [];
      let steps = 0;
      for (const end = performance.now() + length * 1_000; performance.now() < end; steps++) {
        if (steps % 2 === 0) forward.push(Date.now());
        clock.set(base + (steps % 2 === 0 ? HOUR_SECONDS : 0));
        await delay(random.between(4_000, 14_000));
      }
      const climbed = await climbing.end();
      const prompt = promptness(at, load.accepted);
      await delay(LADDER_SECONDS * 1_000);
      const climbs = judgeClimbs(at, climbed, forward);
      const repeats = judge(load.accepted, at.receiver.received).repeats;
      clock.set(base + HOUR_SECONDS);
      const held = await freezeAndStepBack(at, workers, () => clock.set(base));
      const verdict = await at.settle(load, { repeats: held, withinMs: LEASES_END_MS });
      // Right after a jump forward, everything is late by the database's clock, so alarms about that are expected.
      verdict.broken = verdict.broken.filter((sentence) => !sentence.includes('"alarm":"late_'));
      verdict.broken.push(...prompt.broken, ...climbs.broken);
      if (repeats > 0) verdict.broken.push(`${repeats} notifications were repeated although no node died`);
      if (verdict.slowestArrivalMs > LEASES_END_MS)
        verdict.broken.push('what a frozen worker held waited for the clock');
      const figures = { steps, 'held by the frozen worker': held, ...prompt.figures, ...climbs.figures };
      await at.end();
      return { ...verdict, figures: { ...figures, ...verdict.figures } };
    } finally {
      await postgres.remove();
      clock.remove();
    }
  },
};

/** While no process fails, pages arrive promptly regardless of jumps of the clock. */
function promptness({ receiver }: Place, accepted: readonly SentPage[]): Verdict {
  const settled = accepted.filter(({ acceptedAt }) => Date.now() - acceptedAt > PROMPT_MS);
  const { lost, latencies } = judge(settled, receiver.received);
  const slowest = Math.max(0, ...latencies);
  const figures = { 'between steps, slowest': seconds(slowest) };
  const late = slowest > PROMPT_MS || lost.length > 0;
  return {
    figures,
    broken: late ? [`${lost.length} pages waited for the clock, one ${seconds(slowest)}`] : [],
  };
}

/** Nobody is skipped or notified late; only a jump forward may notify somebody early. */
function judgeClimbs({ receiver }: Place, pages: readonly SentPage[], forward: readonly number[]): Verdict {
  const broken: string[] = [];
  const late: number[] = [];
  for (const page of pages) {
    const hastened = forward.some(
      (step) => step >= page.sentAt && step <= page.acceptedAt + LADDER_SECONDS * 1_000,
    );
    const { wrong, lateMs } = climbOf(page, receiver.received);
    broken.push(...wrong.filter((sentence) => !(hastened && sentence.endsWith('early'))));
    late.push(...lateMs);
  }
  const slowest = Math.max(0, ...late);
  if (slowest > PROMPT_MS) broken.push(`a stage came ${seconds(slowest)} late`);
  return {
    figures: { climbed: pages.length, 'stage late, slowest': seconds(slowest) },
    broken: broken.slice(0, 5),
  };
}

/**
 * Freezes a worker that holds calls and sets the clock back by an hour; its leases must end nevertheless. Returns how
 * many calls it held.
 */
async function freezeAndStepBack(
  at: Place,
  workers: Parameters<typeof theBusiest>[1],
  stepBack: SettableClock['remove'],
): Promise<number> {
  at.receiver.always({ status: 204, delayMs: 400 });
  await delay(1_000);
  const frozen = await theBusiest(at, workers);
  frozen.child.kill('SIGSTOP');
  stepBack();
  const held = await at.cluster.db
    .selectFrom('deliveries')
    .innerJoin('nodes', 'nodes.id', 'deliveries.lease_owner')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('nodes.pid', '=', frozen.pid)
    .executeTakeFirstOrThrow();
  await delay(40_000);
  frozen.child.kill('SIGCONT');
  at.receiver.always(null);
  return held.held;
}
