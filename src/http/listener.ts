import type { Server as HttpsServer } from 'node:https';
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../kit/log.ts';
import { FORMATS, KEYWORDS } from '../kit/validation.ts';
import { parseBodies } from './bodies.ts';
import { answerErrors } from './errors.ts';
import { requireHttps } from './https.ts';
import { type KnownHosts, refuseForeignHosts } from './known-hosts.ts';
import { refuseOtherMethods } from './methods.ts';
import { refuseNul } from './path-parameters.ts';
import { readTls, reloadTlsOnChange } from './tls.ts';
import { answerUnreadablePath, answerUnreadableRequest } from './unreadable-requests.ts';

export type ListenerSettings = {
  config: Pick<Config, 'tls' | 'trustProxy'>;
  /** Under which names it answers; null: under any. */
  names: KnownHosts | null;
  log: Log;
  /** Largest body in bytes where a route says nothing else. */
  bodyLimit: number;
  /** Longest time for a whole request to arrive; 15 s where nothing is said. */
  requestTimeoutMs?: number;
  /** Longest time for its headers; 10 s where nothing is said. */
  headersTimeoutMs?: number;
};

/** How often connections are looked at: a request that is too slow is ended so much later at most. */
const LOOK_MS = 1_000;

/**
 * The proxy before us is believed about who asked it, and nobody about who asked before: whoever asks may write whole
 * lists of addresses into the header, and each would have its own tries at a password.
 */
function onlyTheNearest(_address: string, hop: number): boolean {
  return hop === 0;
}

/** A Fastify instance that speaks as all our listeners do: errors, GET bodies, methods, HTTPS, limits. */
export async function createListener(settings: ListenerSettings): Promise<FastifyInstance> {
  const { config, log } = settings;
  const tls = config.tls && readTls(config.tls);
  const headersTimeout = settings.headersTimeoutMs ?? 10_000;
  const slowness = { headersTimeout, connectionsCheckingInterval: Math.min(LOOK_MS, headersTimeout) };
  const options: FastifyServerOptions = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy && onlyTheNearest,
    bodyLimit: settings.bodyLimit,
    // A client that dribbles its request holds one socket for seconds, not five minutes.
    requestTimeout: settings.requestTimeoutMs ?? 15_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    frameworkErrors: answerUnreadablePath,
    clientErrorHandler: answerUnreadableRequest,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        strict: false,
        verbose: true,
        formats: FORMATS,
        keywords: KEYWORDS,
      },
    },
    ...(tls ? { https: { ...tls, ...slowness } } : { http: slowness }),
  };
  const listener = fastify(options) as unknown as FastifyInstance;
  if (config.tls && tls) {
    const server = listener.server as unknown as HttpsServer;
    const end = reloadTlsOnChange(server, config.tls, tls, log);
    listener.addHook('onClose', async () => end());
  }
  if (settings.names) refuseForeignHosts(listener, settings.names);
  if (config.trustProxy && !config.tls) requireHttps(listener);
  parseBodies(listener);
  refuseNul(listener);
  answerErrors(listener);
  refuseOtherMethods(listener);
  return listener;
}
