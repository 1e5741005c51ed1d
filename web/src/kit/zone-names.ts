/** Every zone that the browser knows, and UTC; the own one first. */
export function zoneNames(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
