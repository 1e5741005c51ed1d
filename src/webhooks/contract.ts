/** The webhook type whose URL is the bare `/moment/<token>`; every other type stands at the end of its own. */
export const CUSTOM = 'custom';

export const MOMENT_PATH = '/moment/:token';
export const INTEGRATION_PATH = '/moment/:token/:integration';

/** The path that a webhook of this type is called at. Anyone who has it can create moments. */
export function momentPath(token: string, type: string): string {
  return type === CUSTOM ? `/moment/${token}` : `/moment/${token}/${encodeURIComponent(type)}`;
}

/** The URL to paste into the sender. */
export function webhookUrl(publicUrl: string, token: string, type: string): string {
  return publicUrl.replace(/\/+$/, '') + momentPath(token, type);
}
