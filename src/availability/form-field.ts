/** One field of a form, whichever way it was sent. */
export type FormField = { name: string; value: Buffer };

/** The form has two fields; far more are an attack or a mistake. */
export const MAX_FIELDS = 20;
