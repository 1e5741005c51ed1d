/** A field of a form, in either format. */
export type FormField = { name: string; value: Buffer };

/** The form has two fields; far more are an attack or a mistake. */
export const MAX_FIELDS = 20;
