import type { FastifyInstance } from 'fastify';
import { goalertRoutes } from './goalert.ts';
import { oncallRoutes } from './oncall.ts';
import { type OpsgenieServices, opsgenieRoutes } from './opsgenie.ts';
import { pagerdutyRoutes } from './pagerduty.ts';
import { victoropsRoutes } from './victorops.ts';

/**
 * The APIs of other products, at their own paths, for senders in which only the address can be changed. A trailing
 * slash makes no difference, and none of them redirects, because senders lose the body on the way.
 */
export function dialectRoutes(listener: FastifyInstance, services: OpsgenieServices): void {
  pagerdutyRoutes(listener, services);
  opsgenieRoutes(listener, services);
  victoropsRoutes(listener, services);
  goalertRoutes(listener, services);
  oncallRoutes(listener, services);
}
