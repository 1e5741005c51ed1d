/** A problem of the embedded database, with its fix, in one sentence for the person who starts the service. */
export class EmbeddedPostgresFault extends Error {
  override name = 'EmbeddedPostgresFault';
}

/** The message of any thrown value, on one line and without a full stop. */
export function errorText(error: unknown): string {
  // The message of an error for several addresses is empty.
  const said = error instanceof AggregateError ? error.errors[0] : error;
  const text = said instanceof Error ? said.message || said.name : String(said);
  return text.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
