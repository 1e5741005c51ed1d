import { EmbeddedPostgresFault } from '../../packages/embedded-postgres/fault.ts';
import { MigrationFault } from '../db/migration-files.ts';
import { PoolerFault } from '../db/pooler.ts';
import { errorText } from '../kit/error-text.ts';
import { Fault } from '../kit/fault.ts';
import { redactText } from '../kit/log.ts';
import { ConfigError } from '../kit/setting.ts';
import { Refusal } from './refusal.ts';

export type Explained = {
  sentence: string;
  lines: readonly string[];
  details: readonly Record<string, unknown>[];
};

/** The message and exit code for an error that ended a command. */
export function explain(error: unknown): Explained {
  if (error instanceof Refusal)
    return { sentence: error.message, lines: error.lines, details: error.details };
  if (error instanceof Fault)
    return { sentence: redactText(error.message), lines: [], details: error.details };
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresFault ||
    error instanceof PoolerFault ||
    error instanceof MigrationFault
  )
    return { sentence: error.message, lines: [], details: [] };
  if (error instanceof Error && error.name === 'AbortError')
    return { sentence: 'Interrupted.', lines: [], details: [] };
  const sentence = `Something unexpected went wrong: ${redactText(errorText(error))}.`;
  return { sentence, lines: [], details: [] };
}
