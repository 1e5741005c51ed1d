/** Of a field that is a name or a title: it is read as one line, without what breaks or turns it (`one-line.ts`). */
export const ONE_LINE = { format: 'text', 'x-one-line': true } as const;
