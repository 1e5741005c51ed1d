/** Values that prefill the composer: `/pages/new?kind=team&to=sre&title=…`. */
export type ComposeSearch = {
  kind?: 'team' | 'person';
  /** A team's slug, or a person's email address. */
  to?: string;
  title?: string;
  text?: string;
  source?: string;
  /** The moment that the page is about; the page is linked to it. */
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
