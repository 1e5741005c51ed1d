import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { locale, t, tIn } from '../language/contract.ts';
import type { Notice } from '../notices/contract.ts';
import { claimKeys, queueNotices } from '../notices/store.ts';
import { ownersOf } from '../people/access-store.ts';
import { readersById } from '../people/store.ts';
import { caretakers } from '../people/team-store.ts';
import { type EndingUrl, endingUrls } from './store.ts';

const DAY_MS = 86_400_000;
const LEADS = [
  { days: 1, words: () => tIn('when something happens', 'within a day') },
  { days: 7, words: () => tIn('when something happens', 'within 7 days') },
] as const;
type Lead = (typeof LEADS)[number];

/**
 * Which notice of an end is due: the one of the last day, or of the last seven. None if the URL was created with so
 * little time left, because its creator knows.
 */
export function dueLead(
  { since, endsAt }: Pick<EndingUrl, 'since' | 'endsAt'>,
  at: Temporal.Instant,
): Lead | null {
  const left = endsAt.epochMilliseconds - at.epochMilliseconds;
  const whole = endsAt.epochMilliseconds - since.epochMilliseconds;
  const lead = LEADS.find(({ days }) => left <= days * DAY_MS);
  return lead && left > 0 && whole > lead.days * DAY_MS ? lead : null;
}

/**
 * Notifies the managers of the team and the owners of the organization seven days and one day before the URL of a webhook or
 * source ends. Each notice is sent once, even if several nodes run this.
 */
export async function announceEndings({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const due = (await endingUrls(tx, at, at.add({ hours: 7 * 24 }))).flatMap((url) => {
      const lead = dueLead(url, at);
      return lead ? [{ url, lead, key: keyOf(url, lead) }] : [];
    });
    const fresh = await claimKeys(
      tx,
      at,
      due.map(({ key }) => key),
    );
    for (const { url, lead, key } of due) if (fresh.has(key)) await notify(tx, at, url, lead);
  });
}

function keyOf({ webhookId, former, endsAt }: EndingUrl, { days }: Lead): string {
  return `${former ? 'former url' : 'url'} ${webhookId} ${endsAt} ${days}`;
}

async function notify(tx: Tx, at: Temporal.Instant, url: EndingUrl, lead: Lead): Promise<void> {
  const owners = (await ownersOf(tx, [url.organizationId])).get(url.organizationId) ?? [];
  const readers = [...new Set([...(await caretakers(tx, url.teamId)), ...owners])];
  const people = await readersById(tx, url.organizationId, readers);
  const noticeTo = (userId: string): Notice => {
    const { subject, text } = endingWords(url, lead, people.get(userId)?.timeZone ?? 'UTC');
    const path = `/${url.pages ? 'sources' : 'webhooks'}/${url.webhookId}`;
    const kind = url.pages ? 'source.ending' : 'webhook.ending';
    return { organizationId: url.organizationId, userId, kind, subject, text, path, dedupKey: null };
  };
  await queueNotices(tx, at, () => readers.map(noticeTo));
}

/** The notice for a person in this time zone. */
export function endingWords(
  url: EndingUrl,
  { words }: Lead,
  zone: string,
): { subject: string; text: string } {
  const which = whichUrl(url);
  const loss = url.pages
    ? t('Calls after that are refused and page nobody.')
    : t('Calls after that are refused.');
  const fix = url.former
    ? t('A call used it after the new URL was created; give the new URL to its sender.')
    : t('Set a later end, or give its sender the URL of another one.');
  const when = timeText(url.endsAt, zone);
  return {
    subject: t('{which} ends {when}', { which, when: words() }),
    text: `${t('{which} ends on {when}.', { which, when })} ${loss} ${fix}`,
  };
}

function whichUrl({ pages, former, name, teamName: team }: EndingUrl): string {
  const values = { name, team };
  if (former) {
    return pages
      ? t('A former URL of the source “{name}” of {team}', values)
      : t('A former URL of the webhook “{name}” of {team}', values);
  }
  return pages
    ? t('The URL of the source “{name}” of {team}', values)
    : t('The URL of the webhook “{name}” of {team}', values);
}

/** `Monday, 30 November 2026 at 10:00 (Europe/Berlin)`. */
function timeText(at: Temporal.Instant, zone: string): string {
  const text = new Intl.DateTimeFormat(locale() === 'en' ? 'en-GB' : locale(), {
    ...{ dateStyle: 'full', timeStyle: 'short', timeZone: zone },
  });
  return `${text.format(at.epochMilliseconds)} (${zone})`;
}
