/** What a device keeps of the on-call list, for the page that the service worker shows without a network. */
export type Kept = {
  /** The version of this form; a page that does not know it shows nothing. */
  version: 1;
  /** Whose it is. `twelveHours`: null as the browser does. */
  viewer: { name: string; zone: string; twelveHours: boolean | null };
  /** The texts of the page in the language of the dashboard, and its tag; English without them. */
  words?: Readonly<Record<OfflineText, string>>;
  locale?: string;
  saved_at: string;
  /** All shifts that begin before this time are kept. */
  until: string;
  schedules: {
    name: string;
    team: string;
    backstop: KeptPerson | null;
    shifts: { stage: number; from: string; to: string; mine: boolean; person: KeptPerson }[];
  }[];
};
/** The texts of that page. They are kept with the list, because the page can load no translations. */
export type OfflineText =
  | 'Not connected'
  | 'Pages cannot reach this app now. SMS and phone calls still can.'
  | 'This device keeps no on-call list. It does so while you are signed in to Tocsin and connected.'
  | 'Saved {time}, before the connection was lost.'
  | 'The saved list is over 14 days old, so it no longer says who is on call.'
  | '{name}, you are on call.'
  | '{name}, you are not on call now.'
  | '{schedule}, stage {stage}, until {time}.'
  | 'Next: {time}, {schedule}, stage {stage}.'
  | 'Nobody is on call now.'
  | 'stage {stage}, until {time}'
  | 'stage {stage}, until {time} (you)'
  | 'backstop'
  | 'Call {number}'
  | 'Try again';

export type KeptPerson = { name: string; phones: string[]; email: string };

/** The cache and the address under which it is kept; the service never serves this address. */
export const KEPT_CACHE = 'tocsin-on-call';
export const KEPT_PATH = '/offline/on-call.json';
