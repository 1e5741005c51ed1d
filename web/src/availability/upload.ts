import { recordsApi } from '../../../src/availability/api-contract.ts';
import type {
  ConflictingShift,
  PreviewedAvailability,
  RefusedAvailability,
  SavedAvailability,
} from '../../../src/availability/contract.ts';
import { type Detail, sentence } from '../../../src/kit/detail-contract.ts';
import { methodOf, urlOf } from '../../../src/kit/endpoint-contract.ts';
import { saidOfField } from '../../../src/language/sentence-contract.ts';
import { answeredText, ofShownPerson, Refusal } from '../api/call.ts';
import { capital } from '../kit/detail.ts';
import { commas, shownLanguage, t } from '../language/t.ts';

/** A parsed row of the file. */
export type Row = { who: string; name: string; from: string | null; to: string | null; problems: string[] };
export type Outcome = {
  ok: boolean;
  message: string;
  rows: Row[];
  /** Problems that belong to no row, or to one that could not be read. */
  problems: string[];
  /** Published shifts that the rows affect, and their total number. */
  shifts: ConflictingShift[];
  shiftsTotal: number;
};

type Answer = {
  ok?: boolean;
  message?: string;
  details?: (Detail & { row?: number })[];
  invalid?: string[];
  shifts?: ConflictingShift[];
  shifts_total?: number;
  availabilities?: (PreviewedAvailability | SavedAvailability | RefusedAvailability)[];
};

/** Sends the text of a file, to preview or to save it. `timeZone`: that of times without an offset. A refusal is returned as an outcome, not thrown. */
export async function sendUpload(csv: string, save: boolean, timeZone: string): Promise<Outcome> {
  const response = await fetch(urlOf(recordsApi.upload), {
    method: methodOf(recordsApi.upload),
    headers: {
      accept: 'application/json',
      'accept-language': shownLanguage,
      'content-type': 'application/json',
      ...ofShownPerson(),
    },
    body: JSON.stringify({ csv, time_zone: timeZone, ...(save ? { commit: 'save' } : {}) }),
  }).catch(() => {
    throw new Refusal(
      0,
      t('The service cannot be reached just now; check your connection and try again.'),
      [],
    );
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (typeof answer.ok !== 'boolean')
    throw new Refusal(response.status, answeredText(response.status), answer.details ?? []);
  return outcomeOf(answer);
}

function outcomeOf(answer: Answer): Outcome {
  const { ok = false, message = '', details = [], invalid = [], availabilities = [], shifts = [] } = answer;
  const strangers = new Set(invalid.map((email) => email.toLowerCase()));
  const rows = availabilities.map((one, index) => {
    // The header is row 1.
    const problems = details.filter(({ row }) => row === index + 2).map(rowProblemText);
    const isStranger = 'email' in one && strangers.has(one.email.toLowerCase());
    const isSaid = details.some(({ row, field }) => row === index + 2 && field.endsWith(', email'));
    return {
      ...rowOf(one),
      problems: isStranger && !isSaid ? [...problems, t('matches nobody here')] : problems,
    };
  });
  const known = new Set(rows.map((_, index) => index + 2));
  return {
    ...{ ok, message, rows, shifts, shiftsTotal: answer.shifts_total ?? shifts.length },
    problems: details.filter(({ row }) => row === undefined || !known.has(row)).map(problemText),
  };
}

function rowOf(one: PreviewedAvailability | SavedAvailability | RefusedAvailability): Omit<Row, 'problems'> {
  if ('email' in one) return { who: one.email, name: one.name, from: one.start_time, to: one.end_time };
  return {
    who: one.organization_user.email,
    name: one.name,
    from: one.time_range_start,
    to: one.time_range_end,
  };
}

/** `row 3, start_time` → `start_time`, because the message is shown in the row itself. */
function rowProblemText(detail: Detail): string {
  return saidOf(detail, (_, column) => column ?? t('This row'));
}

/** A problem outside of the rows that are shown. */
function problemText(detail: Detail): string {
  return saidOf(detail, (row, column) => commas([t('row {row}', { row }), ...(column ? [column] : [])]));
}

/** A problem as a sentence. Names of fields are English, so that the place in the file is named here. */
function saidOf({ field, message }: Detail, nameOf: (row: string, column?: string) => string): string {
  const said = saidOfField(field, message);
  if (said === null) return capital(message);
  const [, row, column] = /^row (\d+)(?:, (.+))?$/.exec(field) ?? [];
  const name = field === 'file' ? t('The file') : row === undefined ? field : nameOf(row, column);
  const text = sentence({ field: name, message: said });
  return column === undefined ? capital(text) : text;
}
