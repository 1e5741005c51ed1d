import manifest from '../../../package.json' with { type: 'json' };

/** How we name ourselves to those that we call. */
export const USER_AGENT = `Tocsin/${manifest.version}`;
