import type { Database } from '../db/database.ts';
import type { Credential } from '../keys/key.ts';
import { t } from '../language/contract.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { type Answer, withoutHeaders } from './answer.ts';
import { UPLOAD_PATH } from './contract.ts';
import { readCsv } from './csv.ts';
import { readForm, type UploadForm } from './form.ts';
import type { Sheet } from './sheet.ts';
import { Unreadable } from './unreadable.ts';
import { runUpload } from './upload.ts';

/** Information about an upload besides its body. A thread gets it unchanged. */
export type UploadTask = {
  /** The Content-Type of the form; null if the body is the CSV file itself. */
  contentType: string | null;
  /** The values of `commit` outside the form. */
  commits: readonly string[];
  /** The `Idempotency-Key` header. */
  idempotencyKey: string | string[] | undefined;
  credential: Credential;
  /** Sentences about ignored input outside the form. */
  warnings: readonly string[];
  /** Set if a person uploads the file of a spreadsheet. */
  sheet: Sheet | null;
};

/** Reads the body, and previews or saves its rows. `at`: the time at which the work began. */
export async function workOnUpload(
  db: Database,
  at: Temporal.Instant,
  task: UploadTask,
  body: Buffer,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const form = formOf(task, body);
    const commits = [form.commit, ...task.commits];
    const saving = commits.includes('save');
    const route = `POST ${UPLOAD_PATH} commit=${saving ? 'save' : ''}`;
    const idempotency = readIdempotency(task.idempotencyKey, route, form.file);
    const reading = await readCsv(form.file, signal, task.sheet);
    const unknown = [...form.warnings, ...task.warnings];
    const warnings = saving ? unknown : [...unknown, ...commitWarnings(commits)];
    const { credential } = task;
    return await runUpload(db, at, { credential, saving, reading, warnings, idempotency, signal });
  } catch (error) {
    if (error instanceof Unreadable) return withoutHeaders(error.message);
    throw error;
  }
}

function formOf({ contentType }: UploadTask, body: Buffer): UploadForm {
  return contentType === null ? { file: body, commit: null, warnings: [] } : readForm(contentType, body);
}

/** Warns about values such as `commit=true`, whose sender believes that something was saved. */
function commitWarnings(commits: readonly (string | null)[]): string[] {
  const other = commits.find((value) => value !== null && value !== '');
  if (other === undefined || other === null) return [];
  const given = JSON.stringify(other.slice(0, 40));
  return [t('commit is {given}, which saves nothing; pass commit=save to save', { given })];
}
