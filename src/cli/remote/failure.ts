import { errorCode, errorText, layersOf } from '../../kit/error-text.ts';
import { asSentence, tlsTrouble } from '../../kit/tls-trouble.ts';

/** Explains why there was no response. */
export function explainFailure(url: string, error: unknown, timeoutMs: number): string {
  const code = errorCode(error);
  if (isTimeout(error))
    return `${url} did not answer within ${timeoutMs / 1_000} s; check ${url}/readyz and TOCSIN_URL.`;
  if (code === 'ECONNREFUSED')
    return `No Tocsin server answers at ${url}; start one with "tocsin serve", or set TOCSIN_URL to where it runs.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name of ${url} cannot be resolved (${code}); correct TOCSIN_URL.`;
  const trouble = tlsTrouble(error, url);
  if (trouble) return asSentence(trouble);
  return `${url} cannot be reached (${errorText(error)}); check TOCSIN_URL and the network.`;
}

/** Whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  const passing = [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'UND_ERR_SOCKET',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'EHOSTUNREACH',
  ];
  const code = errorCode(error);
  return isTimeout(error) || passing.includes(code) || code.startsWith('UND_ERR_');
}

function isTimeout(error: unknown): boolean {
  return layersOf(error).some((layer) => layer instanceof Error && layer.name === 'TimeoutError');
}
