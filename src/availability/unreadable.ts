/** Thrown if an upload has no CSV with an acceptable header; the message says why and what to send instead. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
