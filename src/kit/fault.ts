import { type Detail, sentences } from './detail-contract.ts';

export type { Detail };

/** The codes of faults with the HTTP status and text of each; the only such table. */
const STATUS = {
  bad_request: [400, 'Bad Request'],
  invalid_request: [400, 'Invalid request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  conflict: [409, 'Conflict'],
  gone: [410, 'Gone'],
  payload_too_large: [413, 'Payload Too Large'],
  unsupported_media_type: [415, 'Unsupported Media Type'],
  misdirected: [421, 'Misdirected Request'],
  too_many_requests: [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

/** A detail whose message is worded when it is read, for a fault that requests in several languages share. */
export type WordedLater = { field: string; message: () => string };

/** RFC 9110 requires this header in every 401 response. */
const CHALLENGE = { 'www-authenticate': 'Bearer realm="tocsin"' };

export type FaultCode = keyof typeof STATUS;

/**
 * An error that the caller is meant to see. `details` name fields (`sentence` turns each into a sentence); `headers`
 * are added to the response (`Retry-After` for example). Anything else that is thrown is a bug and becomes a plain 500.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly headers: Record<string, string>;
  readonly #details: readonly (Detail | WordedLater)[];

  constructor(
    code: FaultCode,
    details: readonly (Detail | WordedLater)[] = [],
    headers: Record<string, string> = {},
  ) {
    super(sentences(worded(details)) || STATUS[code][1]);
    this.name = 'Fault';
    this.code = code;
    this.#details = details;
    this.headers = code === 'unauthorized' ? { ...CHALLENGE, ...headers } : headers;
  }

  get status(): number {
    return STATUS[this.code][0];
  }

  /** The `error` text of the response, which programs read: it is English in every language. */
  get reason(): string {
    return STATUS[this.code][1];
  }

  /** Messages that are worded later are in the current language. */
  get details(): Detail[] {
    return worded(this.#details);
  }
}

function worded(details: readonly (Detail | WordedLater)[]): Detail[] {
  return details.map(({ message, ...detail }) => ({
    ...detail,
    message: typeof message === 'string' ? message : message(),
  }));
}
