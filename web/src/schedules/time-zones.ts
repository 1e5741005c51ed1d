/** Every zone that the browser knows, and UTC. */
export const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
