/**
 * The urgencies of a page, from the lowest to the highest. The command line reads them without the schemas of the API.
 */
export const URGENCIES = ['low', 'medium', 'high'] as const;
