/**
 * What the description of the API says of a schema beyond, or instead of, what its validator checks: under this key, merged over the
 * schema when the description is made. Nothing is checked by it.
 */
export const PUBLISHED = 'x-published';

export const TIME = { [PUBLISHED]: { format: 'date-time' } } as const;
export const EMAIL = { [PUBLISHED]: { format: 'email' } } as const;
export const URL_TEXT = { [PUBLISHED]: { format: 'uri' } } as const;
