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
import { refuseNul } from './refuse-nul.ts';
import { COMPILERS } from './schema-compilers.ts';
import { readTls, reloadTlsOnChange } from './tls.ts';
import { toRead } from './to-read.ts';
import {
  answerUnmetExpectation,
  answerUnreadablePath,
  answerUnreadableRequest,
} from './unreadable-requests.ts';

export type ListenerSettings = {
  config: Pick<Config, 'tls' | 'trustProxy'>;
  /** The host names that it accepts; null for any. */
  names: KnownHosts | null;
  log: Log;
  /** Maximum size of a body in bytes, unless the route sets its own. */
  bodyLimit: number;
  /** Maximum time to receive a whole request; 15 s by default. */
  requestTimeoutMs?: number;
  /** Maximum time to receive the headers; 10 s by default. */
  headersTimeoutMs?: number;
};

/** How often connections are checked; a slow request may exceed its limit by this much. */
const LOOK_MS = 1_000;

/**
 * Trusts only the address that the nearest proxy reports. Clients can put any list of addresses into the header, and
 * would otherwise get a new budget of password attempts with each.
 */
function onlyTheNearest(_address: string, hop: number): boolean {
  return hop === 0;
}

/**
 * Closes a connection after the request that was being answered when the listener began to close. Node closes only
 * connections that are idle at that time, and would wait for the others as long as clients keep them open.
 */
function endConnectionsWhenClosing(listener: FastifyInstance): void {
  let closing = false;
  listener.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  listener.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

/** A Fastify instance with the common settings of all our listeners: errors, GET bodies, methods, HTTPS, limits. */
export async function createListener(settings: ListenerSettings): Promise<FastifyInstance> {
  const { config, log } = settings;
  const tls = config.tls && readTls(config.tls);
  const headersTimeout = settings.headersTimeoutMs ?? 10_000;
  const node = {
    ...{ headersTimeout, connectionsCheckingInterval: Math.min(LOOK_MS, headersTimeout) },
    // See `refuseForeignHosts`.
    requireHostHeader: settings.names === null,
  };
  const options: FastifyServerOptions = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy && onlyTheNearest,
    bodyLimit: settings.bodyLimit,
    // A client that sends its request slowly occupies a socket for seconds instead of Fastify's five minutes.
    requestTimeout: settings.requestTimeoutMs ?? 15_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    frameworkErrors: answerUnreadablePath,
    clientErrorHandler: answerUnreadableRequest,
    schemaController: { compilersFactory: COMPILERS },
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
    ...(tls ? { https: { ...tls, ...node } } : { http: node }),
  };
  const listener = fastify(options) as unknown as FastifyInstance;
  listener.server.on('checkExpectation', answerUnmetExpectation);
  // Before any route, because a later constraint would make the router be built again.
  listener.addConstraintStrategy(toRead);
  if (config.tls && tls) {
    const server = listener.server as unknown as HttpsServer;
    const end = reloadTlsOnChange(server, config.tls, tls, log);
    listener.addHook('onClose', async () => end());
  }
  endConnectionsWhenClosing(listener);
  if (settings.names) refuseForeignHosts(listener, settings.names);
  if (config.trustProxy && !config.tls) requireHttps(listener);
  parseBodies(listener);
  refuseNul(listener);
  answerErrors(listener);
  refuseOtherMethods(listener);
  return listener;
}
