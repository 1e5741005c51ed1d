import { sentence } from '../../kit/detail-contract.ts';

/** Proxies answer with these while the server behind them restarts. */
const OF_PROXIES = [502, 503, 504];

/** Whether the same request may succeed a little later. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || OF_PROXIES.includes(status);
}

/** Explains an error response of the server. */
export function explainStatus(
  url: string,
  response: Response,
  answer: Record<string, unknown> | null,
): string {
  const { status, headers } = response;
  if (status >= 300 && status < 400)
    return `${url} redirects to ${headers.get('location') ?? 'another place'}; set TOCSIN_URL to where the server itself answers.`;
  const isTocsin = typeof answer?.error === 'string';
  if (!isTocsin && OF_PROXIES.includes(status))
    return `The proxy at ${url} cannot reach the server (status ${status}); check that the server runs, and TOCSIN_URL.`;
  if (!isTocsin) return `${url} is not a Tocsin server (status ${status}); correct TOCSIN_URL.`;
  const problems = detailsText(answer.details);
  if (status === 401)
    return problems ? `The server refuses TOCSIN_KEY: ${problems}` : 'The server refuses TOCSIN_KEY.';
  if (status >= 500) return `The server cannot do it now (${answer.error}). ${problems}`.trim();
  return problems ? `${answer.error}: ${problems}` : `The server refuses it: ${answer.error}.`;
}

export function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

function detailsText(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details
    .filter((detail) => typeof detail?.field === 'string' && typeof detail.message === 'string')
    .map(sentence)
    .join(' ');
}
