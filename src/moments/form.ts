import type { TObject } from 'typebox';
import type { Detail } from '../kit/fault.ts';
import { instantText, parseInstant } from '../kit/instant.ts';
import { type Shape, shapeOf } from '../kit/shape.ts';
import { findingsToDetails, unknownFieldWarnings } from '../kit/validation.ts';
import { t } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { ApiMoment, CustomMoment, MOMENT_STATES, MOMENT_TYPES, PRIORITIES } from './contract.ts';
import { readJsonObject } from './integrations/payload.ts';

/** The events of a body, or all of its problems. `warnings` name unknown fields. */
export type Reading<T> = { moment: T; warnings: string[] } | { problems: Detail[] };

/** How far a sender's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 5;

type Form<T> = { shape: Shape<T>; fields: string[] };

function form<T>(schema: TObject): Form<T> {
  return { shape: shapeOf<T>(schema), fields: Object.keys(schema.properties) };
}

const apiForm = form<ApiMoment>(ApiMoment);
const customForm = form<CustomMoment>(CustomMoment);

/** Reads the body of the API form. */
export function readApiMoment(body: Buffer): Reading<ApiMoment> {
  return readForm(body, apiForm, () => []);
}

/** Reads the body of the webhook form, received at `now`. Its times must not be later. */
export function readCustomMoment(body: Buffer, now: Temporal.Instant): Reading<CustomMoment> {
  return readForm(body, customForm, (fields) => [
    ...futureProblems(fields.occurred_at, now),
    ...keyProblems(fields),
  ]);
}

function readForm<T>(
  body: Buffer,
  { shape, fields }: Form<T>,
  moreProblems: (read: Fields) => Detail[],
): Reading<T> {
  const parsed = readJsonObject(body);
  if ('problem' in parsed)
    return {
      problems: [
        {
          field: 'body',
          message: t('{problem}; send a JSON object with name and type', {
            problem: storedText(parsed.problem),
          }),
        },
      ],
    };
  const read = normalised(parsed.object);
  const problems = [...findingsToDetails(shape.findings(read), 'body'), ...moreProblems(read)];
  if (problems.length > 0) return { problems };
  // Unknown fields are left out: their values were not checked.
  const moment = Object.fromEntries(fields.filter((name) => name in read).map((name) => [name, read[name]]));
  return { moment: moment as T, warnings: unknownFieldWarnings(parsed.object, fields) };
}

type Fields = Record<string, unknown>;

/** Removes fields that are null, and converts words of any case to ours. */
function normalised(object: Readonly<Fields>): Fields {
  const given = Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
  if ('type' in given) given.type = known(MOMENT_TYPES, given.type);
  if ('state' in given) given.state = known(MOMENT_STATES, given.state);
  if ('priority' in given) given.priority = known(PRIORITIES, given.priority);
  return given;
}

/** Our word for a value, or otherwise the value itself, so that the error shows what the sender wrote. */
function known(words: readonly string[], given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase().replace('_', '-');
  return words.includes(word) ? word : given;
}

/** Refuses times in the future, beyond a small difference between two clocks. */
export function futureProblems(occurredAt: unknown, now: Temporal.Instant): Detail[] {
  const at = typeof occurredAt === 'string' ? parseInstant(occurredAt) : null;
  if (!at || Temporal.Instant.compare(at, now.add({ seconds: CLOCK_SKEW_SECONDS })) <= 0) return [];
  const message = t(
    'is {time}, which is in the future (it is {now} now); give the time when it happened, or leave it out for now',
    { time: String(occurredAt), now: instantText(now) },
  );
  return [{ field: 'occurred_at', message }];
}

/** Refuses a state other than open without a dedup key, because no later call could refer to the moment. */
function keyProblems({ state, dedup_key }: Fields): Detail[] {
  if (dedup_key !== undefined || (state !== 'acknowledged' && state !== 'resolved')) return [];
  const message = t(
    'is missing, and the state is {state}; give the dedup_key of the call that opened the moment',
    { state },
  );
  return [{ field: 'dedup_key', message }];
}
