/** Every time zone that the browser knows, and UTC. The given one comes first. */
export function zoneNames(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
