import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { errorText } from '../../kit/error-text.ts';
import { attemptOf } from '../../sources/attempt.ts';
import type { SourceSettings } from '../../sources/contract.ts';
import { createTries } from '../../sources/try.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { withLocal } from './database.ts';
import { readMeans } from './means.ts';
import { inTermsOfOptions } from './option-names.ts';
import { findOne, type Which } from './sources.ts';
import { triedText } from './tried-text.ts';

export type TryOptions = {
  type?: string;
  file?: string;
  call?: string;
  header: readonly string[];
  /** Validated like those of the API. */
  settings?: SourceSettings;
};

/** Shows the effect of a call of a source if it arrived now. */
export async function trySource(
  session: Session,
  source: string,
  { type, file, call, header, settings, ...place }: TryOptions & Omit<Which, 'source'>,
): Promise<void> {
  if (call !== undefined && file !== undefined) throw new Refusal('Give either --file or --call.');
  const headers = headersOf(header);
  const given = call === undefined ? { body: await readBody(file), headers } : { call };
  const tried = await withLocal(session, async (local) => {
    const found = await findOne(local, local.db, { source, ...place });
    if (type !== undefined && type !== found.source.type)
      throw new Refusal(
        `--type is ${type}, but the source ${found.source.name} has the type ${found.source.type}.`,
      );
    const { db, clock } = local;
    const viewer = { organizationId: found.organizationId, userId: '' };
    const attempt = await attemptOf(db, viewer, found.source.id, given).catch(explained);
    const tries = createTries({ db, clock, means: await readMeans(db, local.config) });
    return tries.tryCall({ ...attempt, ...(settings ? { settings } : {}) }).catch(explained);
  });
  session.output.result(triedText(tried), tried);
}

function explained(error: unknown): never {
  // The fields of the body keep their names.
  throw inTermsOfOptions(error, ['settings', 'call']);
}

async function readBody(file: string | undefined): Promise<string> {
  const bytes = await (file === undefined || file === '-' ? buffer(process.stdin) : readFile(file)).catch(
    (error: unknown) => {
      throw new Refusal(`${file ?? 'Standard input'} cannot be read: ${errorText(error)}`);
    },
  );
  if (bytes.length > 0) return bytes.toString('utf8');
  throw new Refusal('There is no body to try; give it with --file or on standard input.');
}

/** `X-GitHub-Event: issues`. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new Refusal(
        `--header is ${JSON.stringify(line)}; give a name and a value such as "X-GitHub-Event: issues".`,
      );
    }),
  );
}
