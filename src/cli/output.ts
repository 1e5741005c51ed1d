/** Where a command writes: results to stdout, everything else to stderr. */
export type Output = {
  readonly json: boolean;
  /** The result of the command: `text` for people, `value` with `--json`. */
  result(text: string, value: unknown): void;
  note(sentence: string): void;
};

export type Streams = { stdout: NodeJS.WritableStream; stderr: NodeJS.WritableStream };

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  return {
    json,
    result(text, value) {
      const line = json ? JSON.stringify(value, null, 2) : text;
      if (line !== '') stdout.write(`${line}\n`);
    },
    note(sentence) {
      stderr.write(`${sentence}\n`);
    },
  };
}

/** Aligns columns with two spaces between them, without trailing spaces. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
