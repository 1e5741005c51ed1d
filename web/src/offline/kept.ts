/** What a device keeps of the on-call list, for the page that the service worker shows without a network. */
export type Kept = {
  /** The version of this form; a page that does not know it shows nothing. */
  version: 1;
  /** Whose it is. `twelveHours`: null as the browser does. */
  viewer: { name: string; zone: string; twelveHours: boolean | null };
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
export type KeptPerson = { name: string; phones: string[]; email: string };

/** The cache and the address under which it is kept; the service never serves this address. */
export const KEPT_CACHE = 'tocsin-on-call';
export const KEPT_PATH = '/offline/on-call.json';
