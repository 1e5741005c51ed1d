/** How urgent a page is, from the least to the most urgent. */
export const URGENCIES = ['low', 'medium', 'high'] as const;
export type Urgency = (typeof URGENCIES)[number];
