import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type ApplyOptions, applyFile } from '../../apply/apply.ts';
import { FileRefused, MAX_FILE_BYTES } from '../../apply/file/document.ts';
import { appliedText, appliedValue } from '../../apply/present.ts';
import { releaseDisabledPeople } from '../../notifications/disabled.ts';
import { createSolver } from '../../planning/threads/solver.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';

/** Applies a file, or standard input for `-`, and prints the changes. */
export async function apply(session: Session, file: string, options: ApplyOptions): Promise<void> {
  const text = await readText(file);
  const { progress, signal } = session;
  const step = (sentence: string) => {
    // Ctrl-C rolls back the transaction.
    signal.throwIfAborted();
    progress.step(sentence);
  };
  const work = async ({ db, clock, openSealing }: Local) => {
    step(`Applying ${file} …`);
    const means = { db, clock, solver: createSolver(), sealing: await openSealing() };
    const services = { ...means, by: 'operator', report: step } as const;
    const done = await applyFile(services, text, options);
    // Remove disabled people from their pages here, because the server may not be running.
    if (options.prune && !options.dryRun) await releaseDisabledPeople(services);
    return done;
  };
  const applied = await withLocal(session, work, { mayCreate: true }).catch((error: unknown) => {
    throw error instanceof FileRefused ? refusal(file, error) : error;
  });
  session.output.result(appliedText(applied, options), appliedValue(applied, options));
}

async function readText(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Refusal(
        `${file} cannot be read (${REASONS[error.code ?? ''] ?? error.code}); give the path of a YAML file.`,
      );
    },
  );
  if (bytes.length > MAX_FILE_BYTES)
    throw new Refusal(`${file} has ${bytes.length} bytes; give a file of at most ${MAX_FILE_BYTES}.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file} is not text in UTF-8; save it in that encoding.`);
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

function refusal(file: string, { errors, message }: FileRefused): Refusal {
  const name = file === '-' ? 'standard input' : file;
  const lines = errors.map(
    ({ line, column, path, message: error }) => `${name}:${line}:${column} ${path} ${error}`,
  );
  const sentence = `${message.replace('the file', name)}; nothing was changed.`;
  return new Refusal(sentence, { lines, details: errors });
}
