import { useSyncExternalStore } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import type { Alarm } from '../api/live.ts';

/** A page that wants this person to answer, as far as it is known. */
export type Ringing = Pick<Alarm, 'title' | 'text' | 'urgency'> & {
  pageId: string;
  team: string | null;
  stage: number | null;
  at: string;
  /** When this browser learned of it, by its own clock. */
  heard: number;
};

/** A list takes no longer to arrive. */
const ON_ITS_WAY_MS = 5_000;
const SEEN = 'tocsin.alarms-put-aside';

let ringing: readonly Ringing[] = [];
const aside = new Set<string>(JSON.parse(sessionStorage.getItem(SEEN) ?? '[]') as string[]);
const listeners = new Set<() => void>();

function set(next: readonly Ringing[]): void {
  ringing = next.filter(({ pageId }) => !aside.has(pageId));
  for (const listener of listeners) listener();
}

/** Alarms that nobody dealt with yet, the loudest first. */
export function useAlarms(): readonly Ringing[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ringing,
  );
}

/** It arrived this moment: it rings before anything else is known, and again if it was put aside. */
export function ring(alarm: Alarm): void {
  aside.delete(alarm.page_id);
  const { page_id: pageId, title, text, urgency, team, stage, sent_at: at } = alarm;
  set(
    sorted([
      ...ringing.filter((one) => one.pageId !== pageId),
      { pageId, title, text, urgency, team, stage, at, heard: Date.now() },
    ]),
  );
}

/** What the list of open pages says is the truth: also about pages that came while no dashboard was open. */
export function reconcile(open: readonly PageSummary[], me: string, readAt: number): void {
  const mine = open.filter((page) => page.urgency !== 'low' && wants(page, me));
  const listed = mine.map((page): Ringing => {
    const known = ringing.find(({ pageId }) => pageId === page.id);
    const asked = page.asked.at(-1);
    return {
      pageId: page.id,
      title: page.title,
      text: page.text,
      urgency: page.urgency,
      team: page.team?.name ?? null,
      stage: asked?.stage ?? null,
      at: known?.at ?? page.created_at,
      heard: known?.heard ?? readAt,
    };
  });
  const told = new Set([...mine, ...open.filter(({ state }) => state !== 'notifying')].map(({ id }) => id));
  // An alarm that came while the list was on its way is not in it yet.
  const newer = ringing.filter(({ pageId, heard }) => !told.has(pageId) && heard > readAt - ON_ITS_WAY_MS);
  set(sorted([...listed, ...newer]));
}

/** Asked in this round: whoever was asked before the page went to others need not answer any more. */
function wants(page: PageSummary, me: string): boolean {
  return page.asked.some(
    ({ person, awaited }) => person.id === me && (awaited || page.state === 'notifying'),
  );
}

/** The person looked at it, or answered; it stays in the list of pages. */
export function putAside(pageId: string): void {
  aside.add(pageId);
  sessionStorage.setItem(SEEN, JSON.stringify([...aside].slice(-200)));
  set(ringing);
}

/** It is to be answered after all: it rings again if it still waits for this person. */
export function bringBack(pageId: string): void {
  aside.delete(pageId);
  sessionStorage.setItem(SEEN, JSON.stringify([...aside]));
}

const LOUDNESS = { high: 0, medium: 1, low: 2 };

function sorted(alarms: readonly Ringing[]): Ringing[] {
  return alarms.toSorted((a, b) => LOUDNESS[a.urgency] - LOUDNESS[b.urgency] || a.at.localeCompare(b.at));
}
