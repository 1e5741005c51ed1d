import type { Plugin } from 'vite';

/**
 * Removes the schemas from our contracts: of an endpoint, the dashboard needs only the method and the path, and the
 * compiler has checked the types before. Without this, every visitor would load TypeBox and all schemas.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    transform(code, id) {
      if (!/\/src\/.*contract\.ts$/.test(id)) return null;
      const cuts: Cut[] = [];
      findSchemas(this.parse(code), cuts);
      const kept = cuts
        .sort((a, b) => b.start - a.start)
        .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);
      return { code: kept, map: null };
    },
  };
}

type Span = { start: number; end: number };
type Cut = Span & { by: string };
type Node = Span & {
  type?: string;
  source?: { value?: unknown };
  callee?: { name?: string; object?: { name?: string } };
  arguments?: Span[];
};

/** Adds the import of TypeBox, calls such as `Type.Object(…)`, and the second argument of `endpoint(…)`. */
function findSchemas(node: unknown, cuts: Cut[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, start, end, source, callee, arguments: given } = node as Node;
  const shapes = callee?.name === 'endpoint' ? given?.[1] : undefined;
  if (type === 'ImportDeclaration' && source?.value === 'typebox') cuts.push({ start, end, by: '' });
  else if (type === 'CallExpression' && callee?.object?.name === 'Type')
    cuts.push({ start, end, by: '({})' });
  else if (type === 'CallExpression' && shapes) cuts.push({ start: shapes.start, end: shapes.end, by: '{}' });
  else for (const one of Object.values(node)) findSchemas(one, cuts);
}
