/** What went wrong with the embedded database, as one sentence for the person who starts Tocsin: the problem and the fix. */
export class EmbeddedPostgresFault extends Error {
  override name = 'EmbeddedPostgresFault';
}
