import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Detail, sentence } from '../kit/detail-contract.ts';

/** Set here, because these responses are sent before any of our hooks run. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Answers a path that cannot be decoded, such as `/%zz`, in the shape of all our errors. */
export function answerUnreadablePath(error: FastifyError, _: FastifyRequest, reply: FastifyReply): void {
  const tooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  const message = tooLong
    ? 'The path has a part that is too long; see /docs for all paths.'
    : 'The path cannot be read; percent-encode other characters than letters and digits, in UTF-8.';
  const status = tooLong ? 404 : 400;
  reply
    .code(status)
    .headers(HEADERS)
    .send(bodyOf(status, { field: 'path', message }));
}

type Refusal = { status: number; detail: Detail };

const UNREADABLE: Refusal = {
  status: 400,
  detail: { field: 'request', message: 'The request is not valid HTTP/1.1; send it with a standard client.' },
};
const REFUSALS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail: {
      field: 'request',
      message: 'The request did not arrive in time; send it again without pauses.',
    },
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    detail: { field: 'headers', message: 'are longer than 16 KiB together; send fewer or shorter ones' },
  },
};

/**
 * Answers input that is not valid HTTP on the raw connection and closes it, because a proxy in front of us could read
 * the remaining bytes as another client's request.
 */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, detail } = REFUSALS[error.code ?? ''] ?? UNREADABLE;
  if (socket.writable) {
    const body = JSON.stringify(bodyOf(status, detail));
    const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroy(error);
}

/**
 * Answers an `Expect` header that asks for something else than `100-continue`, in the shape of all our errors. The
 * connection ends, because the client may send its body or wait with it.
 */
export function answerUnmetExpectation(_: IncomingMessage, response: ServerResponse): void {
  const detail = {
    field: 'expect',
    message: 'asks for something that this service does not do; send 100-continue, or leave the header out',
  };
  response.writeHead(417, { ...HEADERS, connection: 'close' }).end(JSON.stringify(bodyOf(417, detail)));
}

function bodyOf(status: number, detail: Detail): { error: string; details: Detail[] } {
  return {
    error: STATUS_CODES[status] ?? 'Bad Request',
    details: [{ ...detail, message: sentence(detail) }],
  };
}
