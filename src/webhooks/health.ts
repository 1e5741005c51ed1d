import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import { lastFailures } from './call-store.ts';

/** The organization and webhook that received the call. */
export type CallOrigin = { organizationId: string; webhookId: string };
/**
 * `calls`: calls cannot be read. `signature`: calls are not signed correctly. `confirmation`: a subscription cannot be
 * confirmed. `certificate`: the certificate that signatures are checked with cannot be fetched. `expired`: calls arrive
 * after the webhook expired. `former_url`: calls arrive at a URL that ended after a rotation.
 */
export type TroubleCode = 'calls' | 'signature' | 'confirmation' | 'certificate' | 'expired' | 'former_url';

/**
 * Collects failures of webhooks in memory and writes them every few seconds, so that a storm of broken calls does not
 * become a storm of writes. A call that works closes the open problems of its webhook.
 */
export type WebhookHealth = {
  failed(origin: CallOrigin, code: TroubleCode, reason: string): void;
  worked(origin: CallOrigin): void;
  flush(): Promise<void>;
};

/** One failed call is not a problem of the webhook; this many in a row are. */
const FAILURES_IN_A_ROW = 10;

const FIXES: Record<TroubleCode, string> = {
  calls:
    'Open the received calls of the webhook, compare what comes with the page of its integration under docs/integrations, correct the sender, and retry what failed.',
  signature:
    "Give the sender the webhook's signing secret, or take the secret away from the webhook if the sender cannot sign.",
  confirmation:
    'Let this service reach amazonaws.com, or open the SubscribeURL of the received call yourself; then retry the call.',
  certificate:
    'Let this service reach amazonaws.com over HTTPS. What came meanwhile is read as soon as it can be, for up to a day; after that, retry it.',
  expired:
    'Give the sender the URL of another webhook, or set a later end for this one and have the sender send again: what came meanwhile was refused and not kept.',
  former_url:
    'Give the sender the present URL of the webhook: what came to the former one was refused and not kept.',
};

type Trouble = CallOrigin & { code: TroubleCode; reason: string; count: number };

const LONGEST_REASON = 500;

export function createWebhookHealth(db: Database, clock: Clock): WebhookHealth {
  const troubles = new Map<string, Trouble>();
  const healed = new Map<string, CallOrigin>();

  async function note({ organizationId, webhookId, code, reason, count }: Trouble): Promise<void> {
    if (code === 'calls' && (await lastFailures(db, webhookId, FAILURES_IN_A_ROW)) < FAILURES_IN_A_ROW)
      return;
    await noteProblem(db, clock, {
      ...{ organizationId, code, count, fix: FIXES[code] },
      subject: webhookSubject(webhookId),
      message: reason.slice(0, LONGEST_REASON).toWellFormed(),
    });
  }

  return {
    failed(origin, code, reason) {
      healed.delete(origin.webhookId);
      const name = `${origin.webhookId} ${code}`;
      const count = (troubles.get(name)?.count ?? 0) + 1;
      troubles.set(name, { ...origin, code, reason, count });
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
      if (well.length > 0) await closeProblems(db, clock, well.map(webhookSubject));
    },
  };
}

export function webhookSubject(webhookId: string): string {
  return `webhook:${webhookId}`;
}
