import type { Via } from '../src/pages/event-contract.ts';
import type { ResponderRow } from './page-run.ts';

type Asked = { responders: readonly ResponderRow[]; answeredAt: Temporal.Instant | null };

/** The person who was notified last before the answer; of a page that expired, somebody who was notified. */
export function answererOf({ responders, answeredAt }: Asked): string | null {
  const asked = responders.filter(
    ({ responder }) => !answeredAt || Temporal.Instant.compare(responder.started_at, answeredAt) < 0,
  );
  const latest = asked.at(-1)?.responder.started_at;
  return asked.find(({ responder }) => responder.started_at === latest)?.responder.user_id ?? null;
}

/** The way that the person prefers, if a notification reached them on it; otherwise by a link or in the dashboard. */
export function viaOf({ responders, answeredAt }: Asked, by: string | null, wish: Via): Via {
  const reached = responders
    .filter(({ responder }) => responder.user_id === by)
    .flatMap(({ sent }) => sent.map(({ delivery }) => delivery))
    .filter(({ state, accepted_at, receipt_at }) => {
      const at = receipt_at ?? accepted_at;
      return (state === 'accepted' || state === 'delivered') && at && answeredAt && isBefore(at, answeredAt);
    })
    .map(({ channel }) => channel);
  if (wish === 'sms' || wish === 'voice' || wish === 'chat')
    return reached.includes(wish) ? wish : reached.includes('email') ? 'link' : 'dashboard';
  return wish === 'link' && !reached.includes('email') ? 'dashboard' : wish;
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
