import { PUBLISHED } from '../kit/published-contract.ts';
import { PUBLISHED_FORMATS } from '../kit/validation.ts';

type Fields = Record<string, unknown>;
type Parameter = { in: string; name: string; required?: boolean; schema: Fields; [more: string]: unknown };
type Answer = { description: string; headers?: Fields; [more: string]: unknown };
type RequestBody = { required?: boolean; content: Record<string, Fields> };
type Operation = {
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Answer>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas?: Fields } };

/**
 * Completes the generated API description with what route schemas cannot express: which parameters are optional and how
 * ranges are written, headers, the meaning of each status, and our formats in standard JSON Schema. Every schema with a
 * title becomes a component of that name, so that generated clients have one type for it.
 */
export function completed(document: object): object {
  return published(document, completedOperation);
}

/** The same for the dashboard's API, which accepts no idempotency keys and no null for a missing value. */
export function completedDashboard(document: object): object {
  return published(document, (_, operation) => ({
    ...operation,
    ...(operation.parameters ? { parameters: operation.parameters.map(completedParameter) } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => [
        status,
        { ...answer, ...(DASHBOARD_ANSWERS[status] ?? ANSWERS[status]) },
      ]),
    ),
  }));
}

function published(document: object, complete: (method: string, operation: Operation) => Operation): object {
  const { paths, components, ...rest } = document as Document;
  const schemas: Fields = { ...components.schemas };
  const described = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        publish(complete(method, operation), schemas),
      ]),
    ),
  ]);
  return { ...rest, paths: Object.fromEntries(described), components: { ...components, schemas } };
}

function completedOperation(method: string, operation: Operation): Operation {
  const parameters = (operation.parameters ?? []).map(completedParameter);
  const { requestBody } = operation;
  return {
    ...operation,
    parameters: method === 'post' ? [...parameters, IDEMPOTENCY_KEY] : parameters,
    ...(requestBody ? { requestBody: completedBody(method, requestBody) } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => [
        status,
        { ...answer, ...ANSWERS[status] },
      ]),
    ),
  };
}

const IDEMPOTENCY_KEY: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'The same key and body from the same credential within 24 hours give the first answer again and do nothing twice; the same key with another body is 409.',
  // HTTP strips blanks at both ends of a header value.
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\t ]([^\\r\\n]*[^\\t ])?$' },
};

/** A parameter with a default is optional; an object is written as `name[field]=value`. */
function completedParameter(parameter: Parameter): Parameter {
  const { schema } = parameter;
  if (schema.default !== undefined) return { ...parameter, required: false };
  return schema.type === 'object' ? { ...parameter, style: 'deepObject', explode: true } : parameter;
}

/** The body of a GET is optional, because parameters may be in the query; so is a body without a schema. */
function completedBody(method: string, { content }: RequestBody): RequestBody {
  const takesAnything = Object.values(content).some(({ schema }) => !isSchema(schema as Fields));
  return {
    required: method !== 'get' && !takesAnything,
    content: Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, completedMedia(method, type, media)]),
    ),
  };
}

const FORM = 'application/x-www-form-urlencoded';

function completedMedia(method: string, type: string, media: Fields): Fields {
  if (type === FORM) return withDeepObjects(media);
  if (type !== 'application/json') return media;
  const schema = withNulls(media.schema as Fields);
  return { ...media, schema: method === 'get' ? { ...schema, type: ['object', 'null'] } : schema };
}

/** Many clients send null for missing values, so null is accepted for every optional field. */
function withNulls(schema: Fields): Fields {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: (schema.anyOf as Fields[]).map(withNulls) };
  const { properties, required = [] } = schema as {
    properties?: Record<string, Fields>;
    required?: string[];
  };
  if (!properties) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isNeeded = required.includes(name) && field.default === undefined;
    return [name, isNeeded ? field : orNull(field)];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

function orNull(schema: Fields): Fields {
  const { type = 'string', enum: words } = schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) };
}

function withDeepObjects(media: Fields): Fields {
  const { properties = {} } = media.schema as { properties?: Record<string, Fields> };
  const objects = Object.entries(properties).filter(([, { type }]) => type === 'object');
  if (objects.length === 0) return media;
  const encoding = objects.map(([name]) => [name, { style: 'deepObject', explode: true }]);
  return { ...media, encoding: Object.fromEntries(encoding) };
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const ANSWERS: Record<string, Answer> = {
  200: {
    description: 'The request was done or queued. What was queued is on disk before the answer is sent.',
  },
  400: { description: 'The input is wrong; `details` names every problem of it at once.' },
  401: {
    description: 'No credentials, or bad ones.',
    headers: {
      'WWW-Authenticate': {
        description: 'Which credentials would be right.',
        required: true,
        schema: { type: 'string' },
      },
    },
  },
  403: { description: 'The key may not do this, or the request came over plain HTTP.' },
  404: { description: 'It does not exist, or belongs to another organization.' },
  408: { description: 'The request did not arrive in time.' },
  409: { description: 'The Idempotency-Key was used for another body.' },
  410: { description: 'The webhook has expired.' },
  413: { description: 'The body is too large.' },
  415: { description: 'Another content type is needed, or the body must not be compressed.' },
  421: { description: 'Another host takes this request; `details` says which.' },
  429: { description: 'Too many requests.', headers: RETRY_AFTER },
  431: { description: 'The headers are longer than 16 KiB together.' },
  500: { description: 'A fault of the service.' },
  503: {
    description:
      'The database is away, or too much waits already. What was sent may have been stored: send it again with the same Idempotency-Key.',
    headers: RETRY_AFTER,
  },
};

const DASHBOARD_ANSWERS: Record<string, Answer> = {
  200: { description: 'Done.' },
  201: { description: 'Created.' },
  202: { description: 'Accepted; the rest happens later.' },
  403: { description: 'You may not do this, or you have to re-authenticate first.' },
  409: { description: 'It was changed in the meantime, or contradicts something else.' },
  503: {
    description: 'The database is away. What was sent may have been stored: look before you send it again.',
  },
};

/**
 * A copy with every schema in its published form. Schemas with a title move to `schemas` and are replaced by
 * references.
 */
export function publish<T>(value: T, schemas: Fields): T {
  if (Array.isArray(value)) return value.map((one) => publish(one, schemas)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const { [PUBLISHED]: published, 'x-one-line': _, ...own } = value as Fields;
  const format = typeof own.format === 'string' ? PUBLISHED_FORMATS[own.format] : undefined;
  if (format) delete own.format;
  const merged = lenient({ ...own, ...format, ...(published as Fields | undefined) });
  const copy = Object.fromEntries(
    Object.entries(merged).map(([name, inner]) => [name, publish(inner, schemas)]),
  );
  if (typeof copy.title !== 'string' || !isSchema(copy)) return copy as T;
  const { title, ...schema } = copy;
  const known = schemas[title];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two schemas of the API are called ${title}; give one of them another title`);
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` } as T;
}

/** Fields with a default become optional, and enums of strings get the type that client generators need. */
function lenient(schema: Fields): Fields {
  const { required, properties, type, enum: words } = schema;
  const isText =
    type === undefined && Array.isArray(words) && words.every((word) => typeof word === 'string');
  const typed = isText ? { type: 'string', ...schema } : schema;
  if (!Array.isArray(required) || typeof properties !== 'object') return typed;
  const fields = properties as Record<string, Fields>;
  const needed = required.filter((name) => fields[name]?.default === undefined);
  const { required: _, ...rest } = typed;
  return needed.length > 0 ? { ...rest, required: needed } : rest;
}

/** False for a map of properties, which may have a property called "title". */
function isSchema(value: Fields): boolean {
  return value.type !== undefined || Array.isArray(value.anyOf);
}
