/** The headers by which a browser tells where a request comes from. */
export type Origins = { site: string | undefined; origin: string | undefined };

/** Our own pages sent it, as the browser says. Without a word of the browser it is not taken for granted. */
export function isSameOrigin({ site, origin }: Origins, publicUrl: string): boolean {
  return site === undefined ? origin === new URL(publicUrl).origin : site === 'same-origin';
}

/**
 * A browser says that some other site sent it. What is no browser says nothing, and a form on a page without
 * referrer says `null`.
 */
export function isFromElsewhere({ site, origin }: Origins, publicUrl: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== 'null' && origin !== new URL(publicUrl).origin;
}
