import { Ajv2019 } from 'ajv/dist/2019.js';
import type { AnswerSeen, CheckAnswer } from '../src/http/check-answers.ts';
import { FORMATS, KEYWORDS } from '../src/kit/validation.ts';

type Schema = Record<string, unknown>;

/** One validator for all stories of a process; it caches what it compiled for each schema. */
const ajv = new Ajv2019({
  allErrors: true,
  strict: false,
  formats: FORMATS,
  keywords: KEYWORDS,
  // Most answers are seen a few times, and optimizing the code for them takes longer than running it.
  code: { optimize: false },
});
const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>();

/**
 * Compares each answer with the schema of its route and throws when they differ, even by a field that the schema does
 * not declare. `complaints` names every answer that differed, because a story may not read the answer itself.
 */
export function createAnswerCheck(): { check: CheckAnswer; complaints: string[] } {
  const complaints: string[] = [];
  return {
    complaints,
    check(answer) {
      const difference = differenceOf(answer);
      if (difference === null) return;
      complaints.push(difference);
      throw new Error(difference);
    },
  };
}

/** How an answer differs from its schema; null when it does not, or when its status has no schema. */
function differenceOf({ method, route, status, schema, body }: AnswerSeen): string | null {
  if (!schema) return null;
  const validate = validators.get(schema) ?? ajv.compile(closed(schema) as Schema);
  validators.set(schema, validate);
  if (validate(JSON.parse(JSON.stringify(body)))) return null;
  const errors = (validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  return `${method} ${route} answered ${status} with a body that differs from its schema: ${errors.join('; ')}`;
}

/** A copy of a schema whose objects accept only the fields that they declare. */
function closed(schema: unknown, ofIntersection = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, ofIntersection));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, closedUnder(name, inner)]),
  ) as Schema;
  if (copy.allOf) return { ...copy, unevaluatedProperties: false };
  if (copy.type !== 'object' || !copy.properties || copy.additionalProperties !== undefined) return copy;
  return ofIntersection ? copy : { ...copy, additionalProperties: false };
}

function closedUnder(keyword: string, inner: unknown): unknown {
  if (keyword !== 'properties') return closed(inner, keyword === 'allOf');
  return Object.fromEntries(Object.entries(inner as Schema).map(([name, one]) => [name, closed(one)]));
}
