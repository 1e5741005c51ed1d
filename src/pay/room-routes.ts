import type { RoomRoutes } from '../kit/room-routes.ts';
import { payPeriodRoutes, payTableRoutes } from './api-routes.ts';
import type { PeriodServices } from './periods.ts';

type Services = Omit<PeriodServices, 'retention'> & { config: Pick<PeriodServices, 'retention'> };

/** Pay for being on call. */
export function routes({ db, clock, config }: Services): RoomRoutes {
  const services = { db, clock, retention: config.retention };
  return {
    api(api) {
      payTableRoutes(api, services);
      payPeriodRoutes(api, services);
    },
  };
}
