import { zoneNames } from '../kit/zone-names.ts';

/** Every zone that the browser knows, and UTC. */
export const TIME_ZONES = zoneNames('UTC');
