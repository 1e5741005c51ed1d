/** The headers in which browsers name the origin of a request. */
export type Origins = { site: string | undefined; origin: string | undefined };

/** Whether the browser reports that our own pages sent it. False if the browser reports nothing. */
export function isSameOrigin({ site, origin }: Origins, publicUrl: string): boolean {
  return site === undefined ? origin === new URL(publicUrl).origin : site === 'same-origin';
}

/**
 * Whether a browser reports that another site sent it. Programs send no such header, and a form on a page without a
 * referrer sends `null`.
 */
export function isFromElsewhere({ site, origin }: Origins, publicUrl: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== 'null' && origin !== new URL(publicUrl).origin;
}
