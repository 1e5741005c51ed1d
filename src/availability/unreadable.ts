/** There is no CSV with acceptable headers in what was sent; `reason` says why and what to send instead. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
