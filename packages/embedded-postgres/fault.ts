/** What went wrong with the embedded database, as one sentence for the person who starts the service: the problem and the fix. */
export class EmbeddedPostgresFault extends Error {
  override name = 'EmbeddedPostgresFault';
}

/** The message of anything that was thrown, on one line and without a full stop. */
export function errorText(error: unknown): string {
  // A connection that failed at several addresses says nothing itself.
  const said = error instanceof AggregateError ? error.errors[0] : error;
  const text = said instanceof Error ? said.message || said.name : String(said);
  return text.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
