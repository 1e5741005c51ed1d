import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { type DoorServices, requireSession } from '../../sessions/require-session.ts';
import { answerMcp } from './server.ts';
import { type Arguments, requestOf, type Tool } from './tools.ts';

/** The parts of the request that the routes of the tools read: its credentials and its address. */
const PASSED_ON = [
  ...['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
];

/**
 * The Model Context Protocol over HTTP. A tool call is a request to a route of `listener` with the credentials of the
 * caller, so it has the same rights, validation and audit log.
 */
export function mcpRoutes(scope: FastifyInstance, listener: FastifyInstance, services: DoorServices): void {
  scope.addHook('onRequest', requireSession(services));
  scope.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
    // One request could otherwise call any number of tools. The protocol has had no batches since 2025-06-18.
    if (Array.isArray(request.body))
      throw new Fault('bad_request', [
        { field: 'body', message: 'is a batch; send one message in each request' },
      ]);
    const call = (tool: Tool, given: Arguments) => callRoute(listener, request, tool, given);
    const answer = await answerMcp(webRequest(request), request.body, call);
    reply.code(answer.status);
    const type = answer.headers.get('content-type');
    if (type) reply.type(type);
    return reply.send(await answer.text());
  });
}

async function callRoute(
  listener: FastifyInstance,
  { headers, ip }: FastifyRequest,
  tool: Tool,
  given: Arguments,
): Promise<{ status: number; text: string }> {
  const { method, url, payload } = requestOf(tool, given);
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const answer = await listener.inject({
    ...{ method, url, remoteAddress: ip },
    headers: { ...passedOn, ...(payload ? { 'content-type': 'application/json' } : {}) },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, text: answer.payload };
}

/** The SDK reads the method and headers; the body is passed on parsed. */
function webRequest({ headers }: FastifyRequest): Request {
  const accept = headers.accept ?? '';
  const version = headers['mcp-protocol-version'];
  return new Request('http://tocsin.invalid/mcp', {
    method: 'POST',
    headers: {
      accept,
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}
