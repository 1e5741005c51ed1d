import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Validator = ((data: unknown) => unknown) & { errors?: unknown };
type Serializer = (data: unknown) => string;
type Compile<Compiled> = (route: { schema: object }) => Compiled;
type Build<Compiled> = (...options: unknown[]) => Compile<Compiled>;

/**
 * Fastify's own compilers, but each schema is compiled when its route first needs it: at the start of a process, the
 * schemas of all routes would take longer than everything else. Every listener must use the same validator options,
 * because they share the compiled schemas.
 */
export const COMPILERS = {
  buildValidator: lazily(AjvCompiler() as Build<Validator>, (compiled) => {
    const validate: Validator = (data) => {
      const validator = compiled();
      const isValid = validator(data);
      // Fastify reads the errors of the last call from the function.
      validate.errors = validator.errors;
      return isValid;
    };
    return validate;
  }),
  buildSerializer: lazily(
    SerializerSelector() as Build<Serializer>,
    (compiled) => (data) => compiled()(data),
  ),
} as Factories;

function lazily<Compiled>(
  build: Build<Compiled>,
  wrap: (compiled: () => Compiled) => Compiled,
): Build<Compiled> {
  const known = new WeakMap<object, Compiled>();
  return (...options) => {
    const compile = build(...options);
    return (route) => {
      const shared = known.get(route.schema);
      if (shared) return shared;
      let compiled: Compiled | undefined;
      const lazy = wrap(() => {
        compiled ??= compile(route);
        return compiled;
      });
      known.set(route.schema, lazy);
      return lazy;
    };
  };
}
