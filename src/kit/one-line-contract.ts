/** For fields that hold a name or a title: the value is normalized to one line (`one-line.ts`). */
export const ONE_LINE = { format: 'text', 'x-one-line': true } as const;
