import { URGENCIES, type Urgency } from '../../../src/pages/urgency-contract.ts';

const STATES = ['all', 'notifying', 'acknowledged', 'resolved', 'expired', 'refused'] as const;

/** Which pages are shown; open ones when nothing is said. The address says it, so that it can be sent to somebody. */
export type PagesSearch = {
  show?: (typeof STATES)[number];
  urgency?: Urgency;
  team?: string;
  mine?: true;
  text?: string;
};

export function pagesSearch(search: Record<string, unknown>): PagesSearch {
  const show = STATES.find((state) => state === search.show);
  const urgency = URGENCIES.find((one) => one === search.urgency);
  return {
    ...(show ? { show } : {}),
    ...(urgency ? { urgency } : {}),
    ...(typeof search.team === 'string' ? { team: search.team } : {}),
    ...(search.mine === true ? { mine: true } : {}),
    // Digits alone are read as a number on their way through the address.
    ...(typeof search.text === 'string' || typeof search.text === 'number'
      ? { text: String(search.text) }
      : {}),
  };
}

/** As the service understands it. */
export function pagesParameters({ show, urgency, team, mine, text }: PagesSearch): string {
  const said = { state: show ?? 'open', urgency, team, whose: mine && 'mine', text };
  return new URLSearchParams(
    Object.entries(said).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString();
}
