import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isLoopbackAddress, isLoopbackHost } from '../kit/loopback.ts';
import { sha256 } from '../kit/sealing.ts';

export type OperatorSettings = Pick<Config, 'metrics' | 'trustProxy'>;

/** Whether whoever asks runs this service, as far as may be told without an account: by the token, or by being here. */
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
 * A proxy on this machine connects from it as well, on behalf of anybody. So nobody is here where a proxy is trusted, who
 * shows that they were forwarded, or who asks for another name than that of this machine.
 */
function isOnThisMachine(request: FastifyRequest, trustProxy: boolean): boolean {
  if (trustProxy || FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackHost(request.hostname);
}
