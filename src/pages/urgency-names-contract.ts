/** How urgent a page is, from the least to the most urgent. The command line reads them without the schemas of the API. */
export const URGENCIES = ['low', 'medium', 'high'] as const;
