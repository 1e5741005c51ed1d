import { type Static, Type } from 'typebox';
import type { Detail } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { oneLine } from '../kit/one-line.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { shapeOf } from '../kit/shape.ts';
import { findingsToDetails, unknownFieldWarnings } from '../kit/validation.ts';
import { t } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { futureProblems } from '../moments/form.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import { isObject, type JsonObject, readJsonObject } from '../moments/integrations/payload.ts';
import { multipartFields } from '../moments/integrations/wrapped-payload.ts';
import { URGENCIES } from '../pages/urgency-contract.ts';
import type { SourceEvent } from './contract.ts';

const ACTIONS = ['trigger', 'acknowledge', 'resolve'] as const;
const MOST_LABELS = 100;

/** The body of `POST /page/<token>`: our own form, for anything that can send JSON or a form. */
export const CustomPage = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        maxLength: 200,
        ...ONE_LINE,
        description: 'Short summary of the reason for the page. Required to trigger one.',
      }),
    ),
    text: Type.Optional(
      Type.String({ maxLength: 10_000, format: 'text', description: 'Markdown. The title by default.' }),
    ),
    source_url: Type.Optional(
      Type.String({ format: 'http-url', description: 'Shown for more information; commonly the alert.' }),
    ),
    urgency: Type.Optional(
      Type.Enum([...URGENCIES], { type: 'string', description: 'In any case. Goes before the severity.' }),
    ),
    severity: Type.Optional(
      Type.String({
        maxLength: 100,
        format: 'text',
        description:
          'A word such as critical; the settings of the source decide which urgency it stands for.',
      }),
    ),
    dedup_key: Type.Optional(
      Type.String({
        maxLength: 255,
        format: 'text',
        description:
          'What later calls about the same thing repeat. Required to acknowledge and to resolve a page.',
      }),
    ),
    action: Type.Optional(
      Type.Enum([...ACTIONS], { type: 'string', default: 'trigger', description: 'In any case.' }),
    ),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1_000, format: 'optional-text' }), {
        maxProperties: MOST_LABELS,
        description: 'Rules and maintenance windows match them. In a form: labels.NAME=VALUE.',
      }),
    ),
    occurred_at: Type.Optional(
      Type.String({ format: 'instant', description: 'When it began, not later than now. Now by default.' }),
    ),
  },
  { title: 'CustomPage' },
);
type CustomPage = Static<typeof CustomPage>;

const FIELDS = Object.keys(CustomPage.properties);
const SHAPE = shapeOf<CustomPage>(CustomPage);

/** A call of a source of the type `custom`. */
type CustomCall = { headers: Headers; body: Buffer; receivedAt: Temporal.Instant };

/** The content of the body, or all of its problems. `warnings` name unknown fields. */
export function readCustomPage({
  headers,
  body,
  receivedAt,
}: CustomCall): { event: SourceEvent; warnings: string[] } | { problems: Detail[] } {
  const form = formFields(headers, body);
  const parsed = form ? { object: readForm(form) } : readJsonObject(body);
  if ('problem' in parsed)
    return {
      problems: [
        {
          field: 'body',
          message: t('{problem}; send a JSON object with a title', { problem: storedText(parsed.problem) }),
        },
      ],
    };
  const read = normalised(parsed.object);
  const problems = [
    ...findingsToDetails(SHAPE.findings(read), 'body'),
    ...missing(read),
    ...futureProblems(read.occurred_at, receivedAt),
  ];
  if (problems.length > 0) return { problems };
  return {
    event: eventOf(read as CustomPage, receivedAt),
    warnings: unknownFieldWarnings(parsed.object, FIELDS),
  };
}

/** curl labels JSON as a form unless it is given a content type, and a form never begins with a bracket. */
function formFields(headers: Headers, body: Buffer): Iterable<[string, string]> | null {
  const type = (headers['content-type'] ?? '').trim();
  const isForm =
    /^application\/x-www-form-urlencoded/i.test(type) && !/^\s*[[{]/.test(body.toString('latin1', 0, 100));
  return isForm ? new URLSearchParams(body.toString('utf8')) : multipartFields(body);
}

const LABEL = /^labels(?:\.(?<dotted>.+)|\[(?<bracketed>.+)\])$/s;

/** `labels.service=db` and `labels[service]=db` are entries of `labels`, which may also be a JSON object. */
function readForm(form: Iterable<[string, string]>): JsonObject {
  const fields: [string, unknown][] = [];
  const labels: [string, string][] = [];
  for (const [name, value] of form) {
    const { dotted, bracketed } = LABEL.exec(name)?.groups ?? {};
    const label = dotted ?? bracketed;
    if (label === undefined) fields.push([name, name === 'labels' ? jsonOr(value) : value]);
    else labels.push([label, value]);
  }
  const object = Object.fromEntries(fields);
  if (labels.length === 0) return object;
  return {
    ...object,
    labels: { ...(isObject(object.labels) ? object.labels : {}), ...Object.fromEntries(labels) },
  };
}

function jsonOr(text: string): unknown {
  const parsed = readJsonObject(Buffer.from(text));
  return 'problem' in parsed ? text : parsed.object;
}

type Fields = Record<string, unknown>;

/**
 * Without fields that are null or empty, as templates leave them. Words in any case become ours, and numbers become
 * texts.
 */
function normalised(object: JsonObject): Fields {
  const given = Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== ''),
  );
  given.urgency = known(URGENCIES, given.urgency);
  given.action = known(ACTIONS, given.action);
  for (const name of ['title', 'text', 'severity', 'dedup_key']) given[name] = textOf(given[name]);
  if (isObject(given.labels))
    given.labels = Object.fromEntries(
      Object.entries(given.labels)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name.toWellFormed(), textOf(value)]),
    );
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The database stores no half of a surrogate pair. */
function textOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Our word for a value, or the value itself, so that the problem shows what the sender wrote. */
function known(words: readonly string[], given: unknown): unknown {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : null;
  return word !== null && words.includes(word) ? word : given;
}

function missing({ action, title, dedup_key }: Fields): Detail[] {
  if (action === 'acknowledge' || action === 'resolve')
    return dedup_key !== undefined
      ? []
      : [
          {
            field: 'dedup_key',
            message:
              action === 'resolve'
                ? t('is missing; give the key of the page that this call is to resolve')
                : t('is missing; give the key of the page that this call is to acknowledge'),
          },
        ];
  return title === undefined
    ? [{ field: 'title', message: t('is missing; give a text of 1 to 200 characters') }]
    : [];
}

function eventOf(page: CustomPage, receivedAt: Temporal.Instant): SourceEvent {
  const title = oneLine(page.title ?? '');
  return {
    action: page.action ?? 'trigger',
    dedupKey: page.dedup_key ?? null,
    title,
    text: page.text ?? title,
    sourceUrl: page.source_url ?? null,
    urgency: page.urgency ?? null,
    severity: page.severity?.trim() ?? null,
    labels: Object.entries(page.labels ?? {}).map(([name, value]) => `${name}=${value}`),
    source: null,
    by: null,
    occurredAt: (page.occurred_at ? parseInstant(page.occurred_at) : null) ?? receivedAt,
    at: receivedAt,
  };
}
