/** The driver has no types for this module. */
declare module 'pg/lib/utils.js' {
  /** A parameter as the driver sends it. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
