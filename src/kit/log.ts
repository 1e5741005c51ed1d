import { type Logger, pino } from 'pino';

export type Log = Logger;

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'token', 'secret', 'key'];

/** Writes JSON lines to stderr; stdout is for commands that print results. */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino(
    {
      level,
      base: { service: 'tocsin' },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[hidden]',
      },
      serializers: { err: (error: unknown) => briefError(error) },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactText },
    },
    destination,
  );
}

/** Deeper causes are not useful, and an error can even be its own cause. */
const MOST_CAUSES = 5;

/** The useful fields of an error. Errors of the database driver hold the whole connection, including its cancel key. */
function briefError(error: unknown, causes = MOST_CAUSES): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const cause =
    causes > 0 && error.cause instanceof Error ? { cause: briefError(error.cause, causes - 1) } : {};
  return {
    type: error.name,
    message: error.message,
    ...(code ? { code } : {}),
    stack: error.stack,
    ...cause,
  };
}

/**
 * The last safeguard: removes secrets from every line that is written. API keys, tokens of webhooks, page sources
 * and links in URLs, keys of senders, credentials in URLs, Slack tokens, and all but the last two digits of phone numbers.
 */
export function redactText(line: string): string {
  return line
    .replace(/tocsin_[A-Za-z0-9_-]{20,}/g, 'tocsin_[hidden]')
    .replace(/whsec_[A-Za-z0-9+/=_-]{10,}/g, 'whsec_[hidden]')
    .replace(/(\/(?:moment|page|heartbeat|a|sign-in|calendar)\/)[A-Za-z0-9_.~-]{16,}/g, '$1[hidden]')
    .replace(/(\/integrations\/(?:v1|generic\/\d+)\/[A-Za-z0-9_-]+\/)[A-Za-z0-9_.~-]{16,}/g, '$1[hidden]')
    .replace(/([?&](?:token|apiKey|api_key|key|routing_key)=)[^&\s"#]+/gi, '$1[hidden]')
    .replace(/(\bGenieKey\s+)[A-Za-z0-9_.~-]{16,}/gi, '$1[hidden]')
    .replace(/(\/(?:welcome|invitation|new-password|sign-in)#)[A-Za-z0-9_.-]{16,}/g, '$1[hidden]')
    .replace(/xox[a-z]-[A-Za-z0-9-]{10,}/g, 'xox[hidden]')
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/?#\s"]+@/gi, '$1[hidden]@')
    .replace(/(?:\+|%2B)\d{4,13}(\d\d)(?!\d)/gi, '+[hidden]$1');
}
