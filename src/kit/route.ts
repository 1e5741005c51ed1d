import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  methodOf,
  type ParamsOf,
  pathOf,
  type QueryOf,
} from './endpoint-contract.ts';

/** A request whose parameters, query and body have the types of the endpoint's schemas. */
export type RequestOf<One extends Endpoint> = FastifyRequest<{
  Params: ParamsOf<One>;
  Querystring: QueryOf<One>;
  Body: BodyOf<One>;
}>;

type Handler<One extends Endpoint> = (
  request: RequestOf<One>,
  reply: FastifyReply,
) => Promise<AnswerOf<One> | FastifyReply>;

type Options = Partial<
  Pick<RouteOptions, 'attachValidation' | 'bodyLimit' | 'config' | 'onRequest' | 'preValidation'>
>;

/**
 * Serves an endpoint. Its schemas validate the request and give the handler its types. Answers are written by
 * `JSON.stringify` as they are: the serializer that Fastify makes of a schema would silently drop fields that the schema
 * lacks. Tests compare every answer with its schema instead (decision 0150).
 */
export function route<One extends Endpoint>(
  api: FastifyInstance,
  one: One,
  handler: Handler<One>,
  options: Options = {},
): void {
  const { preValidation = [], ...others } = options;
  api.route({
    ...others,
    method: methodOf(one),
    url: pathOf(one).slice(api.prefix.length),
    schema: schemaOf(one),
    serializerCompiler: () => JSON.stringify,
    preValidation: [...(one.shapes.query ? [readQuery(one.shapes.query)] : []), preValidation].flat(),
    // The types of the request are those of the schemas with which Fastify validates it.
    handler: handler as RouteHandlerMethod,
  });
}

function schemaOf(one: Endpoint) {
  const { summary, description, query, body, response, status = [200], takes, produces } = one.shapes;
  const params = one.shapes.params ?? parametersOf(pathOf(one));
  return {
    summary,
    ...(description ? { description } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    ...(takes ? { consumes: takes } : {}),
    ...(produces ? { produces: [produces] } : {}),
    response: Object.fromEntries(status.map((code) => [code, response])),
  };
}

function parametersOf(path: string): TObject | null {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return null;
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String({ maxLength: 100 })])));
}

/** Converts the texts of a query to the numbers and booleans of its schema. Other texts are left to the validation. */
function readQuery({ properties }: TObject) {
  const ofType = (...types: string[]) =>
    Object.entries<TSchema & { type?: unknown }>(properties)
      .filter(([, schema]) => types.includes(String(schema.type)))
      .map(([name]) => name);
  const numbers = ofType('integer', 'number');
  const booleans = ofType('boolean');
  return async (request: FastifyRequest): Promise<void> => {
    const query: Record<string, unknown> = { ...(request.query as object) };
    for (const name of numbers) {
      const text = query[name];
      if (typeof text === 'string' && /^\d{1,9}$/.test(text)) query[name] = Number(text);
    }
    for (const name of booleans)
      if (query[name] === 'true' || query[name] === 'false') query[name] = query[name] === 'true';
    request.query = query;
  };
}
