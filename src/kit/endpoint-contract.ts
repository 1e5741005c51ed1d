import type { Static, TObject, TSchema } from 'typebox';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schemas of an endpoint: its input and its answer. */
export type Shapes = {
  /** A short summary for the API description. */
  summary: string;
  description?: string;
  /** The parameters of the path. Default: each is a text of at most 100 characters. */
  params?: TObject;
  /** Numbers and booleans of a query arrive as text and are converted before they are validated. */
  query?: TObject;
  body?: TSchema;
  /** The content types of the body. Default: JSON. */
  takes?: readonly string[];
  /** The body of every answer below 300. Fields that it does not declare fail the tests. */
  response: TSchema;
  /** The statuses with which it answers. Default: 200. */
  status?: readonly number[];
  /** The content type of the answer. Default: JSON. */
  produces?: string;
};

/**
 * One route of an API, declared once for both sides: `route` of `kit/route.ts` serves it, and `send` of the dashboard
 * calls it. The build of the dashboard removes the schemas (`web/without-schemas.ts`).
 */
export type Endpoint<Name extends string = string, Of extends Shapes = Shapes> = {
  /** Method and path, such as `GET /api/keys/:id`. */
  readonly name: Name;
  readonly shapes: Of;
};

export function endpoint<const Name extends `${Method} /${string}`, Of extends Shapes>(
  name: Name,
  shapes: Of,
): Endpoint<Name, Of> {
  return { name, shapes };
}

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<One extends Endpoint> = One['shapes']['params'] extends TObject
  ? Static<One['shapes']['params']>
  : Record<Parameters<One['name']>, string>;

export type QueryOf<One extends Endpoint> = One['shapes']['query'] extends TObject
  ? Static<One['shapes']['query']>
  : unknown;

export type BodyOf<One extends Endpoint> = One['shapes']['body'] extends TSchema
  ? Static<One['shapes']['body']>
  : unknown;

export type AnswerOf<One extends Endpoint> = Static<One['shapes']['response']>;

/**
 * The parts of a call that its URL needs. Every field of a query may be left out, because the compiler cannot see in a
 * schema which of them have a default.
 */
type UrlInputOf<One extends Endpoint> = (Parameters<One['name']> extends never
  ? unknown
  : { params: Record<Parameters<One['name']>, string> }) &
  (One['shapes']['query'] extends TObject
    ? { query?: { [Name in keyof QueryOf<One>]?: QueryOf<One>[Name] | undefined } }
    : unknown);

type InputOf<One extends Endpoint> = UrlInputOf<One> &
  (One['shapes']['body'] extends TSchema ? { body: BodyOf<One> } : unknown);

/** An argument that may be left out if nothing in it is required. */
type Argument<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

/** The caller's input for an endpoint, and the part that its URL needs. */
export type Given<One extends Endpoint> = Argument<InputOf<One>>;
export type GivenUrl<One extends Endpoint> = Argument<UrlInputOf<One>>;

export function methodOf({ name }: Endpoint): Method {
  return name.slice(0, name.indexOf(' ')) as Method;
}

/** The path with its parameters, such as `/api/keys/:id`. */
export function pathOf({ name }: Endpoint): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** The path and query of a call. Parameters are encoded, undefined query values are omitted, and lists are repeated. */
export function urlOf<One extends Endpoint>(one: One, ...[input]: GivenUrl<One>): string {
  const { params = {}, query = {} } = (input ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
  };
  const path = pathOf(one).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const values = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return values.length === 0 ? path : `${path}?${new URLSearchParams(values)}`;
}
