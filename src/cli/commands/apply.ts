import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type ApplyOptions, applyFile, FileRefused } from '../apply/apply.ts';
import { MAX_FILE_BYTES } from '../apply/file/source.ts';
import { appliedText, appliedValue } from '../apply/present.ts';
import { createCommand } from '../command.ts';
import { withLocal } from '../local.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';

type Options = { dryRun?: boolean; prune?: boolean };

export function applyCommand(session: Session): Command {
  return createCommand(
    'apply',
    'Make the organization match a file and plan its schedules. Everything or nothing is applied; what the file does not mention stays.',
    ['apply examples/acme.yaml --dry-run', 'apply examples/acme.yaml', 'apply acme.yaml --prune'],
  )
    .argument('<file>', 'YAML; - reads it from standard input')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--prune', 'remove users, teams, schedules and availabilities that the file does not mention')
    .action(async (file: string, options: Options) => {
      const text = await readText(file);
      const how: ApplyOptions = { dryRun: options.dryRun ?? false, prune: options.prune ?? false };
      const applied = await withLocal(session, async (local) => {
        const { step } = session.progress;
        step(`Applying ${file} …`);
        const services = { db: local.db, clock: local.clock, sealing: await local.openSealing(), tell: step };
        return applyFile(services, text, how);
      }).catch((error: unknown) => {
        throw error instanceof FileRefused ? refusal(file, error) : error;
      });
      session.output.result(appliedText(applied, how), appliedValue(applied, how));
    });
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

function refusal(file: string, { problems, message }: FileRefused): Refusal {
  const name = file === '-' ? 'standard input' : file;
  const lines = problems.map(
    ({ line, column, path, message: problem }) => `${name}:${line}:${column} ${path} ${problem}`,
  );
  const sentence = `${message.replace('the file', name)}; nothing was changed.`;
  return new Refusal(sentence, { lines, details: problems });
}
