import { Fault } from './fault.ts';

/** Refuses a body of another content type. `type`: the header as it was sent; `wanted`: what to send instead. */
export function wrongContentType(type: string | undefined, wanted = 'application/json'): Fault {
  const given = type?.trim().slice(0, 100);
  const what = given ? `is ${JSON.stringify(given)}, which is not accepted here` : 'is missing';
  return new Fault('unsupported_media_type', [{ field: 'Content-Type', message: `${what}; send ${wanted}` }]);
}
