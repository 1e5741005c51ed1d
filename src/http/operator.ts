import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isLoopbackAddress, isLoopbackHost } from '../kit/loopback.ts';
import { sha256 } from '../kit/sealing.ts';

export type OperatorSettings = Pick<Config, 'metrics' | 'trustProxy'>;

/**
 * Whether the request comes from the operator of this service: it has the metrics token, or comes from this machine.
 */
export function isOperator(request: FastifyRequest, settings: OperatorSettings): boolean {
  return hasMetricsToken(request, settings) || isOnThisMachine(request, settings.trustProxy);
}

export function hasMetricsToken(request: FastifyRequest, { metrics: { token } }: OperatorSettings): boolean {
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return token !== null && given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}

const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * If requests are forwarded, coming from this machine proves nothing, because a local proxy forwards anybody's requests.
 * So this is false if a proxy is trusted, if a header shows that the request was forwarded, or if it is for another
 * host name.
 */
function isOnThisMachine(request: FastifyRequest, trustProxy: boolean): boolean {
  if (trustProxy || FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackHost(request.hostname);
}
