import type { PageSummary } from '../../../src/pages/api-contract.ts';
import type { Alarm } from '../api/live.ts';
import { sharedValue } from '../kit/shared-value.ts';

/** A page that this person is expected to answer. */
export type Ringing = Pick<Alarm, 'title' | 'text' | 'urgency'> & {
  pageId: string;
  team: string | null;
  stage: number | null;
  /** When it notified this person, by the clock of the service. */
  at: string;
  /** When this browser received it, by the browser's clock. */
  heard: number;
};

/** The longest that a list of pages takes to arrive. */
const ON_ITS_WAY_MS = 5_000;
const ASIDE = 'tocsin.aside';

const ringing = sharedValue<readonly Ringing[]>([]);
/**
 * By page, when the alarm that was put aside had notified this person: a page that notifies them again later rings again,
 * even if this browser was not connected then.
 */
const aside = new Map<string, string>(
  JSON.parse(sessionStorage.getItem(ASIDE) ?? '[]') as [string, string][],
);

function set(next: readonly Ringing[]): void {
  ringing.set(next.filter(({ pageId, at }) => at > (aside.get(pageId) ?? '')));
}

function storeAside(): void {
  sessionStorage.setItem(ASIDE, JSON.stringify([...aside].slice(-200)));
}

/** Open alarms, most urgent first. */
export const useAlarms = ringing.use;

/** Rings for a page that has just arrived, even if it was put aside before. */
export function ring(alarm: Alarm): void {
  bringBack(alarm.page_id);
  const { page_id: pageId, title, text, urgency, team, stage, sent_at: at } = alarm;
  set(
    sorted([
      ...ringing.get().filter((one) => one.pageId !== pageId),
      { pageId, title, text, urgency, team, stage, at, heard: Date.now() },
    ]),
  );
}

/** Makes the alarms match the list of open pages, which includes pages raised while no dashboard was open. */
export function reconcile(open: readonly PageSummary[], me: string, readAt: number): void {
  const mine = open.filter((page) => page.urgency !== 'low' && wants(page, me));
  const listed = mine.map((page): Ringing => {
    const known = ringing.get().find(({ pageId }) => pageId === page.id);
    const own = page.notified.findLast(({ person }) => person.id === me);
    const at = own?.at ?? '';
    return {
      pageId: page.id,
      title: page.title,
      text: page.text,
      urgency: page.urgency,
      team: page.team?.name ?? null,
      stage: own?.stage ?? null,
      at: known && known.at > at ? known.at : at,
      heard: known?.heard ?? readAt,
    };
  });
  const listedIds = new Set(
    [...mine, ...open.filter(({ state }) => state !== 'notifying')].map(({ id }) => id),
  );
  // An alarm that arrived while the list was loading is not in the list.
  const newer = ringing
    .get()
    .filter(({ pageId, heard }) => !listedIds.has(pageId) && heard > readAt - ON_ITS_WAY_MS);
  set(sorted([...listed, ...newer]));
}

/** How many pages wait for an answer of this person. */
export function waitingFor(open: readonly PageSummary[], me: string): number {
  return open.filter((page) => wants(page, me)).length;
}

/** Only people notified in the current round are expected to answer. */
function wants(page: PageSummary, me: string): boolean {
  return page.notified.some(
    ({ person, awaited }) => person.id === me && (awaited || page.state === 'notifying'),
  );
}

/** Stops an alarm that the person has seen or answered. The page stays in the list. */
export function putAside({ pageId, at }: Ringing): void {
  aside.set(pageId, at);
  storeAside();
  set(ringing.get());
}

/** Lets a page ring again if it still waits for this person. */
export function bringBack(pageId: string): void {
  aside.delete(pageId);
  storeAside();
}

const LOUDNESS = { high: 0, medium: 1, low: 2 };

function sorted(alarms: readonly Ringing[]): Ringing[] {
  return alarms.toSorted((a, b) => LOUDNESS[a.urgency] - LOUDNESS[b.urgency] || a.at.localeCompare(b.at));
}
