/**
 * The key under which a schema carries keywords for the API description only: they are merged over the schema when the
 * description is generated, and never validate anything.
 */
export const PUBLISHED = 'x-published';

export const TIME = { [PUBLISHED]: { format: 'date-time' } } as const;
export const EMAIL = { [PUBLISHED]: { format: 'email' } } as const;
export const URL_TEXT = { [PUBLISHED]: { format: 'uri' } } as const;
