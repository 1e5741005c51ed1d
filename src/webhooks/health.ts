import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { stored } from '../language/contract.ts';
import { closeProblems, noteProblem, subjectsWithProblem } from '../problems/store.ts';
import { failuresAmongLast } from './call-store.ts';
import type { Refusal } from './store.ts';

/** The organization and webhook that received the call. */
export type CallOrigin = { organizationId: string; webhookId: string };
/**
 * `calls`: calls cannot be read. `signature`: calls are not signed correctly. `confirmation`: a subscription cannot be
 * confirmed. `certificate`: the certificate for checking signatures cannot be fetched. `expired`: calls arrive after
 * the webhook expired. `former_url`: calls arrive at a URL that ended after a rotation. `revoked`: calls arrive after
 * the webhook was revoked. `waiting`: too many pages of a page source wait, so it pages at once.
 */
export type TroubleCode = 'calls' | 'signature' | 'confirmation' | 'certificate' | 'waiting' | Refusal;

/**
 * Collects failures of webhooks in memory and writes them every few seconds, so that a storm of broken calls does not
 * become a storm of writes. A call that works closes the open problems of its webhook, except those that end by time
 * (`closeOutdatedProblems`), and unreadable calls while they are the majority of the last few.
 */
export type WebhookHealth = {
  /** `address`: the caller's. Only the last one is kept, and only while the problem is open. */
  failed(origin: CallOrigin, code: TroubleCode, reason: string, address?: string): void;
  worked(origin: CallOrigin): void;
  flush(): Promise<void>;
};

/** One failed call is not a problem of the webhook; three of the last four are. */
const LAST_CALLS = 4;
const FAILURES = 3;

type Fix = { webhook: string; source: string };
const both = (fix: string): Fix => ({ webhook: fix, source: fix });

const FIXES: Record<TroubleCode, Fix> = {
  calls: {
    webhook: stored(
      'Open the received calls of the webhook, compare them with the page of its integration under docs/integrations, correct the sender, and retry the failed calls.',
    ),
    source: stored(
      'Open the received calls of the page source, compare them with the page of its integration under docs/integrations, correct the sender, and retry the failed calls.',
    ),
  },
  signature: {
    webhook: stored(
      "Give the sender the webhook's signing secret, or remove the secret from the webhook if the sender cannot sign.",
    ),
    source: stored(
      "Give the sender the page source's signing secret, or remove the secret from the page source if the sender cannot sign.",
    ),
  },
  confirmation: both(
    stored(
      'Let this service reach amazonaws.com, or open the SubscribeURL of the received call yourself; then retry the call.',
    ),
  ),
  certificate: both(
    stored(
      'Let this service reach amazonaws.com over HTTPS. Until then, calls wait for up to a day; after that, retry them.',
    ),
  ),
  waiting: both(
    stored(
      'Resolve alerts that have ended, let fewer pages wait (shorter waits in its rules, narrower maintenance windows, wider hours), or let the sender use one dedup key for more alerts.',
    ),
  ),
  expired: {
    webhook: stored(
      'Give the sender the URL of another webhook, or set a later end for this one and have the sender repeat its calls, because those that arrived since were refused and not kept.',
    ),
    source: stored(
      'Give the sender the URL of another page source, or set a later end for this one and have the sender repeat its calls, because those that arrived since were refused and not kept.',
    ),
  },
  former_url: {
    webhook: stored(
      'Give the sender the current URL of the webhook: calls to the former one were refused and not kept.',
    ),
    source: stored(
      'Give the sender the current URL of the page source: calls to the former one were refused and not kept.',
    ),
  },
  revoked: {
    webhook: stored(
      'Stop the sender, or give it the URL of another webhook: its calls were refused and not kept.',
    ),
    source: stored(
      'Stop the sender, or give it the URL of another page source: its calls were refused and not kept.',
    ),
  },
};

/** What to do about a problem of a webhook or page source. */
export function fixOf(code: TroubleCode, webhookId: string): string {
  return FIXES[code][webhookId.startsWith('source_') ? 'source' : 'webhook'];
}

type Trouble = CallOrigin & {
  code: TroubleCode;
  reason: string;
  count: number;
  address: string | null;
};

const LONGEST_REASON = 500;

export function createWebhookHealth(db: Database, clock: Clock): WebhookHealth {
  const troubles = new Map<string, Trouble>();
  const healed = new Map<string, CallOrigin>();

  async function mostlyFails(webhookId: string): Promise<boolean> {
    return (await failuresAmongLast(db, webhookId, LAST_CALLS)) >= FAILURES;
  }

  async function note({ organizationId, webhookId, code, reason, count, address }: Trouble): Promise<void> {
    if (code === 'calls' && !(await mostlyFails(webhookId))) return;
    await noteProblem(db, clock, {
      ...{ organizationId, code, count, fix: fixOf(code, webhookId), lastAddress: address },
      subject: webhookSubject(webhookId),
      message: reason.slice(0, LONGEST_REASON).toWellFormed(),
    });
  }

  /** Webhooks that were called successfully, but read fewer calls than not. */
  async function stillFailing(webhookIds: readonly string[]): Promise<string[]> {
    const open = await subjectsWithProblem(db, webhookIds.map(webhookSubject), 'calls');
    const failing: string[] = [];
    for (const webhookId of webhookIds)
      if (open.has(webhookSubject(webhookId)) && (await mostlyFails(webhookId))) failing.push(webhookId);
    return failing;
  }

  return {
    failed(origin, code, reason, address) {
      healed.delete(origin.webhookId);
      const name = `${origin.webhookId} ${code}`;
      const count = (troubles.get(name)?.count ?? 0) + 1;
      const { organizationId, webhookId } = origin;
      troubles.set(name, { organizationId, webhookId, code, reason, count, address: address ?? null });
    },
    worked(origin) {
      healed.set(origin.webhookId, origin);
    },
    async flush() {
      const noted = [...troubles.values()];
      const well = [...healed.keys()];
      troubles.clear();
      healed.clear();
      for (const trouble of noted) await note(trouble);
      if (well.length === 0) return;
      const failing = new Set(await stillFailing(well));
      const working = well.filter((webhookId) => !failing.has(webhookId));
      await closeProblems(db, clock, working.map(webhookSubject));
    },
  };
}

export function webhookSubject(webhookId: string): string {
  return `webhook:${webhookId}`;
}
