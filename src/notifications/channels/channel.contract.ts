import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { aNotification } from '../../../testing/fakes/notification.ts';
import type { ReceiptState } from '../inbound/receipt.ts';
import type { Address, Channel, Outcome, Problem } from './channel.ts';

/** Everything that can happen to an attempt to call a provider. */
const SITUATIONS = [
  'accepted',
  'refused for good',
  'refused for now',
  'slow but in time',
  'hanging',
  'connection refused',
  'reset mid-answer',
  'malformed answer',
  'dripping answer',
  'endless answer',
  'wrong credentials',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/**
 * How an attempt must end. Fields that are left out are not checked; `problem: null` means that no problem is reported.
 */
type Ending =
  | { kind: 'accepted' }
  | { kind: 'refused'; problem?: Problem['code'] | null }
  | { kind: 'retry'; maybeSent: boolean; retryAfterMs?: number; problem?: Problem['code'] | null };

const ENDINGS: Record<Situation, Ending> = {
  accepted: { kind: 'accepted' },
  'refused for good': { kind: 'refused', problem: null },
  'refused for now': { kind: 'retry', maybeSent: false, retryAfterMs: 7_000 },
  'slow but in time': { kind: 'accepted' },
  hanging: { kind: 'retry', maybeSent: true },
  'connection refused': { kind: 'retry', maybeSent: false },
  'reset mid-answer': { kind: 'retry', maybeSent: true },
  'malformed answer': { kind: 'retry', maybeSent: true },
  'dripping answer': { kind: 'retry', maybeSent: true },
  'endless answer': { kind: 'retry', maybeSent: true },
  'wrong credentials': { kind: 'refused', problem: 'credentials' },
};

/** A channel with a fake provider. */
type Bench = {
  channel: Channel;
  address: Address;
  /** Prepares the situation for the next attempt. "Slow" means 100 ms. */
  arrange(situation: Situation): void | Promise<void>;
  /** Fails if the provider received anything unexpected, and marks received messages as expected. */
  check(): void;
  stop(): Promise<void>;
};

export type ContractOptions = {
  open(): Promise<Bench>;
  /** The channel without its settings; null when it needs none. */
  unconfigured: Channel | null;
  /** Situations that end differently on this channel, or cannot occur (`null`), with the reason. */
  unlike?: Partial<Record<Situation, { because: string; ending: Ending | null }>>;
  /** For channels whose provider sends receipts. */
  receipts?: () => Promise<ReceiptBench>;
};

/** Posts receipts as the provider does, and returns the resulting state of the delivery. */
type ReceiptBench = {
  post(state: ReceiptState): Promise<void>;
  state(): ReceiptState | null;
  stop(): Promise<void>;
};

/** Longer than "slow", but short enough for a test. */
const DEADLINE_MS = 2_000;
/** How long an attempt may take after its deadline, to clean up. */
const GRACE_MS = 500;

/** Tests that a channel keeps the promises of `Channel`. */
export function channelContract(name: string, options: ContractOptions): void {
  describe(`${name}: the promises of every channel`, () => {
    let bench: Bench;
    before(async () => {
      bench = await options.open();
    });
    after(() => bench.stop());

    for (const situation of SITUATIONS) {
      const unlike = options.unlike?.[situation];
      const ending = unlike ? unlike.ending : ENDINGS[situation];
      if (!ending) continue;
      const because = unlike ? `, because ${unlike.because}` : '';
      it(`${situation}: ${wordsFor(ending)}${because}`, async () => {
        await bench.arrange(situation);
        const { outcome, ms } = await timed(() =>
          bench.channel.send(aNotification(), bench.address, AbortSignal.timeout(DEADLINE_MS)),
        );
        assertEnding(outcome, ending);
        assert.ok(ms < DEADLINE_MS + GRACE_MS, `it took ${Math.round(ms)} ms`);
        bench.check();
      });
    }

    it('does not begin if no time is left', async () => {
      const outcome = await bench.channel.send(aNotification(), bench.address, AbortSignal.abort());
      assertEnding(outcome, { kind: 'retry', maybeSent: false });
      bench.check();
    });

    if (options.receipts) receiptContract(options.receipts);

    const { unconfigured } = options;
    if (unconfigured) {
      it('names the missing setting in one sentence, and refuses', async () => {
        assert.match(unconfigured.unavailable ?? '', /^[A-Z].*\b[A-Z]+_[A-Z_]+\b.*\.$/);
        const outcome = await unconfigured.send(
          aNotification(),
          bench.address,
          AbortSignal.timeout(DEADLINE_MS),
        );
        assertEnding(outcome, { kind: 'refused', problem: 'not_configured' });
      });
    }
  });
}

function receiptContract(open: () => Promise<ReceiptBench>): void {
  it('keeps the furthest state when receipts arrive twice and out of order', async (test) => {
    const receipts = await open();
    test.after(() => receipts.stop());
    assert.equal(receipts.state(), null);
    const posted: [ReceiptState, ReceiptState][] = [
      ['sent', 'sent'],
      ['sent', 'sent'],
      ['accepted', 'sent'],
      ['delivered', 'delivered'],
      ['sent', 'delivered'],
      ['failed', 'delivered'],
      ['delivered', 'delivered'],
    ];
    for (const [state, expected] of posted) {
      await receipts.post(state);
      assert.equal(receipts.state(), expected, `after ${state}`);
    }
  });
}

function assertEnding(outcome: Outcome, ending: Ending): void {
  assert.equal(outcome.kind, ending.kind, `expected ${wordsFor(ending)}, got ${JSON.stringify(outcome)}`);
  if (outcome.kind === 'accepted' || ending.kind === 'accepted') return;
  assert.match(outcome.error, /^\S.*\S$/s, 'the error is a text');
  if (ending.problem !== undefined)
    assert.equal(outcome.problem?.code ?? null, ending.problem, outcome.error);
  if (outcome.problem) assert.match(outcome.problem.fix, /^\S.*\.$/, 'the fix is a sentence');
  if (outcome.kind === 'refused' || ending.kind === 'refused') return;
  assert.equal(outcome.maybeSent, ending.maybeSent, `maybeSent of: ${outcome.error}`);
  if (ending.retryAfterMs !== undefined) assert.equal(outcome.retryAfterMs, ending.retryAfterMs);
}

function wordsFor(ending: Ending): string {
  if (ending.kind === 'accepted') return 'accepted';
  const problem = ending.problem ? ` with the problem ${ending.problem}` : '';
  if (ending.kind === 'refused') return `refused${problem}`;
  return `to be retried${ending.maybeSent ? ', perhaps sent' : ', certainly not sent'}${problem}`;
}

async function timed<Result>(action: () => Promise<Result>): Promise<{ outcome: Result; ms: number }> {
  const start = performance.now();
  const outcome = await action();
  return { outcome, ms: performance.now() - start };
}
