import { VERSION } from '../../kit/version.ts';

/** How we name ourselves to those that we call. */
export const USER_AGENT = `Tocsin/${VERSION}`;
