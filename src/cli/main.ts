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
 * Runs one command. `argv` does not include node and the program's path. Resolves with the exit code: 0 for success, 1
 * for a refusal or failure (one sentence on stderr), 2 for wrong usage. `serve` resolves when the server has stopped.
 */
export async function runCommandLine(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams = process,
): Promise<number> {
  // `--json` may be anywhere in the arguments, and also applies to errors.
  const output = createOutput(streams, argv.includes('--json'));
  const progress = createProgress(output.note);
  ignoreClosedPipes(streams);
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
  }
}

async function fail({ output }: Session, error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return DONE;
    // Commander has already printed the error for people.
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

/** Stays in effect after the command has ended, because a stream reports an error only after the write. */
function ignoreClosedPipes({ stdout, stderr }: Streams): void {
  for (const stream of [stdout, stderr])
    if (!stream.listeners('error').includes(ignoreClosedPipe)) stream.on('error', ignoreClosedPipe);
}

/** A closed pipe, as in `tocsin schedules | head`, is not an error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The first Ctrl-C or SIGTERM aborts the signal so that the command ends properly; the second one ends the process. */
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
