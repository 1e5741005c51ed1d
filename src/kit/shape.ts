import { Ajv, type ValidateFunction } from 'ajv';
import { type Finding, FORMATS } from './validation.ts';

type Format = (value: string) => boolean;

/** Compares values with a schema, for values that do not arrive as the body of a route with a schema. */
export type Shape<T> = {
  fits(value: unknown): value is T;
  /** All differences; none if the value fits. */
  findings(value: unknown): Finding[];
};

const ours = lazily(() => ajvWith(FORMATS));

/**
 * The shape that `schema` describes. `formats` are additional to those of all schemas. The schema is compiled for the
 * first value, because compiling all of them would take a third of the start of a process or a command.
 */
export function shapeOf<T>(schema: object, formats: Record<string, Format> = {}): Shape<T> {
  const isPlain = Object.keys(formats).length === 0;
  const compiled = lazily(
    (): ValidateFunction<T> => (isPlain ? ours() : ajvWith({ ...FORMATS, ...formats })).compile<T>(schema),
  );
  return {
    fits: (value): value is T => compiled()(value),
    findings(value) {
      const validate = compiled();
      return validate(value) ? [] : (validate.errors as unknown as Finding[]);
    },
  };
}

function ajvWith(formats: Record<string, Format>): Ajv {
  return new Ajv({ allErrors: true, verbose: true, strict: false, formats });
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
