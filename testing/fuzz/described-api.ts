/** A JSON schema as far as we look into it. */
export type Schema = {
  /** Several where null is allowed as well; what is wanted comes first. */
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

/** One thing that the public API's own description says can be asked for. */
export type Operation = {
  /** `POST /page/team`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** By content type. */
  bodies: Record<string, Schema>;
  /** By status; `4XX` for all that have none of their own. */
  answers: Record<string, Schema>;
  /** It has a host of its own. */
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

/** Every operation of an OpenAPI description, with what it refers to put in. */
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
