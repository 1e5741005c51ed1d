/** Why a command failed: one sentence with the problem and the fix. `details` are printed before it, one per line. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly details: readonly Record<string, unknown>[];
  readonly lines: readonly string[];

  constructor(
    sentence: string,
    {
      details = [],
      lines = [],
    }: { details?: readonly Record<string, unknown>[]; lines?: readonly string[] } = {},
  ) {
    super(sentence);
    this.details = details;
    this.lines = lines;
  }
}
