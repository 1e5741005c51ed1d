/** Every time zone that the browser knows, and UTC. `own` comes first. */
export function zoneNames(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
