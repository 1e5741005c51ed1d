import { CommanderError } from 'commander';
import { usageProblem } from './command.ts';
import { createOutput, type Streams } from './output.ts';
import { createProgram } from './program.ts';
import { createProgress } from './progress.ts';
import type { Session } from './session.ts';

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * Runs one command: `argv` without node and the program's own path. Resolves with the exit code: 0 done, 1 refused or
 * failed (one sentence on stderr), 2 usage. `serve` resolves when the server has ended.
 */
export async function runCommandLine(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams = process,
): Promise<number> {
  // `--json` may stand anywhere; whoever asked for it wants its errors in that form, too.
  const output = createOutput(streams, argv.includes('--json'));
  const progress = createProgress(output.note);
  for (const stream of [streams.stdout, streams.stderr]) stream.on('error', ignoreClosedPipe);
  const ending = listenForEnd();
  const session: Session = { env, output, progress, signal: ending.signal };
  try {
    let exitCode = DONE;
    const program = createProgram(session, streams, (code) => {
      exitCode = code;
    });
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await fail(session, error);
  } finally {
    progress.end();
    ending.stop();
    for (const stream of [streams.stdout, streams.stderr]) stream.off('error', ignoreClosedPipe);
  }
}

async function fail({ output }: Session, error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return DONE;
    // Commander has said to people what there is to say.
    if (output.json) output.result('', { error: usageOf(error), details: [] });
    return USAGE;
  }
  const { explain } = await import('./explain.ts');
  const { sentence, lines, details } = explain(error);
  if (output.json) output.result('', { error: sentence, details });
  for (const line of lines) output.note(line);
  output.note(sentence);
  return REFUSED;
}

function usageOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'No command was given; see: tocsin --help';
  return usageProblem(message);
}

/** `tocsin schedules | head` is no reason to fall over. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The first Ctrl-C or SIGTERM asks the command to end properly, a second one ends it. */
function listenForEnd(): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const end = () => {
    stop();
    controller.abort(new DOMException('the command was interrupted', 'AbortError'));
  };
  const stop = () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end);
  return { signal: controller.signal, stop };
}
