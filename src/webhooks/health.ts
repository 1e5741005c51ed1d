import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import { lastFailures } from './call-store.ts';

/** Whose call it was. */
export type CallOrigin = { organizationId: string; webhookId: string };
/** `calls`: its calls cannot be read. `signature`: they are not signed. `confirmation`: we cannot confirm.
 * `certificate`: we cannot check who signed them. `expired`: they come although the webhook has expired. `former_url`: they
 * come to a URL that it had before it was rotated, and which has ended. */
export type TroubleCode = 'calls' | 'signature' | 'confirmation' | 'certificate' | 'expired' | 'former_url';

/**
 * Webhooks that do not work, gathered from the hot paths and written every few seconds: a storm of broken calls must
 * not become a storm of writes. A call that can be read, or is signed again, closes what was open about its webhook.
 */
export type WebhookHealth = {
  failed(origin: CallOrigin, code: TroubleCode, reason: string): void;
  worked(origin: CallOrigin): void;
  flush(): Promise<void>;
};

/** So many calls in a row must fail before it is the webhook that is in trouble, not a call. */
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
