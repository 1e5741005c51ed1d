/** Thrown if an upload has no CSV with an acceptable header. The message gives the reason and the fix. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
