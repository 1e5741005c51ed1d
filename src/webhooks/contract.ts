/** Webhooks record moments. Page sources are webhooks whose calls page people. Each kind is the prefix of its ids. */
export type WebhookKind = 'webhook' | 'source';

/** The webhook type whose URL is just `/moment/<token>`; the URL of any other type ends with the type. */
export const CUSTOM = 'custom';

export const MOMENT_PATH = '/moment/:token';
export const INTEGRATION_PATH = '/moment/:token/:integration';

/** The path to call a webhook of this type. Anybody who knows it can create moments. */
export function momentPath(token: string, type: string): string {
  return type === CUSTOM ? `/moment/${token}` : `/moment/${token}/${encodeURIComponent(type)}`;
}

/** The path that a page source of this type is called on. Anybody who knows it can page people. */
export function pagePath(token: string, type: string): string {
  return type === CUSTOM ? `/page/${token}` : `/page/${token}/${encodeURIComponent(type)}`;
}

/** The URL to paste into the sending tool. */
export function webhookUrl(publicUrl: string, token: string, type: string): string {
  return publicUrl.replace(/\/+$/, '') + momentPath(token, type);
}
