/** What the composer can be opened with: `/pages/new?kind=team&to=sre&title=…`. */
export type ComposeSearch = {
  kind?: 'team' | 'person';
  /** A team's slug, or a person's email address. */
  to?: string;
  title?: string;
  text?: string;
  source?: string;
  /** The page is about this moment, and is linked to it. */
  moment?: string;
};

const TEXTS = ['to', 'title', 'text', 'source', 'moment'] as const;

export function composeSearch(search: Record<string, unknown>): ComposeSearch {
  const kind = (['team', 'person'] as const).find((one) => one === search.kind);
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return { ...(kind ? { kind } : {}), ...Object.fromEntries(texts) };
}
