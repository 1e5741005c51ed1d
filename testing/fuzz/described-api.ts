/** The part of a JSON schema that we read. */
export type Schema = {
  /** Several when null is allowed; null is last. */
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  $ref?: string;
};

export type Parameter = { in: 'path' | 'query' | 'header'; name: string; schema: Schema };

/** An operation of the public API, from its OpenAPI description. */
export type Operation = {
  /** `POST /page/team`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** By content type. */
  bodies: Record<string, Schema>;
  /** By status; `4XX` for those without an entry of their own. */
  answers: Record<string, Schema>;
  /** It is served at a host of its own. */
  elsewhere: boolean;
};

type Content = { content?: Record<string, { schema?: Schema }> };
type Described = {
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  servers?: unknown[];
};
export type Description = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

/** All operations of an OpenAPI description, with references resolved. */
export function operationsOf(description: Description): Operation[] {
  const { paths } = resolved(description.paths, description.components.schemas);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      bodies: schemasOf(described.requestBody ?? {}),
      answers: Object.fromEntries(
        Object.entries(described.responses).map(([status, answer]) => [
          status.toUpperCase(),
          schemasOf(answer)['application/json'] ?? {},
        ]),
      ),
      elsewhere: described.servers !== undefined,
    })),
  );
}

function resolved(paths: Description['paths'], schemas: Record<string, Schema>): Pick<Description, 'paths'> {
  const name = '#/components/schemas/';
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as Schema;
    if ($ref?.startsWith(name)) return resolve(schemas[$ref.slice(name.length)]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return { paths: resolve(paths) as Description['paths'] };
}

function schemasOf({ content = {} }: Content): Record<string, Schema> {
  return Object.fromEntries(Object.entries(content).map(([type, { schema = {} }]) => [type, schema]));
}
