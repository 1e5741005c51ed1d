import { VERSION } from '../../kit/version.ts';

/** The User-Agent header of our requests. */
export const USER_AGENT = `Tocsin/${VERSION}`;
