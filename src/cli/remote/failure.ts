/** What a person reads when no answer came. */
export function explainFailure(url: string, error: unknown, timeoutMs: number): string {
  const code = codeOf(error);
  if (isTimeout(error))
    return `${url} did not answer within ${timeoutMs / 1_000} s; check that the server is well (${url}/readyz) and TOCSIN_URL.`;
  if (code === 'ECONNREFUSED')
    return `No Tocsin server answers at ${url}; start one with "tocsin serve", or set TOCSIN_URL to where it runs.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host of ${url} is not known (${code}); correct TOCSIN_URL.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code))
    return `The certificate of ${url} is not trusted (${code}); correct TOCSIN_URL, or name the authority's certificate in NODE_EXTRA_CA_CERTS.`;
  return `${url} could not be asked (${code || messageOf(error)}); check TOCSIN_URL and the network.`;
}

/** Whether trying again may help. */
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
  return isTimeout(error) || passing.includes(codeOf(error)) || codeOf(error).startsWith('UND_ERR_');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** `fetch` wraps what happened; several addresses of one host are wrapped once more. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const inner = at instanceof AggregateError ? at.errors[0] : at;
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
