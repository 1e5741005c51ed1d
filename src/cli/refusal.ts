/**
 * Why a command did not do what it was asked for: one sentence that names the problem and the fix. `details` go
 * before it, a line each.
 */
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
