import type { FastifyInstance } from 'fastify';
import { UPLOAD_PATH } from '../availability/contract.ts';
import { uploadSchema } from '../availability/upload-schema.ts';
import { Fault } from '../kit/fault.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * The base listener answers the path of uploads with where it is to be found: they have a host of their own. Its
 * description of the API lists the endpoint all the same, with that host.
 */
export function misdirectUploads(base: FastifyInstance, uploadUrl: string): void {
  // Before the body is read: it may be 10 MiB of a form that this listener does not parse.
  const onRequest = async () => {
    throw new Fault('misdirected', [
      { field: 'host', message: `does not take uploads; send this request to ${uploadUrl}${UPLOAD_PATH}` },
    ]);
  };
  const handler = async () => undefined;
  const described = { ...uploadSchema, security: [{ key: [] }], servers: [{ url: uploadUrl }] };
  base.route({ method: 'POST', url: UPLOAD_PATH, schema: described, onRequest, handler });
  base.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: UPLOAD_PATH,
    schema: { hide: true },
    onRequest,
    handler,
  });
}

/** The upload listener knows one path only; whatever else the API has is said to be elsewhere. */
export function misdirectTheRest(upload: FastifyInstance, publicUrl: string): void {
  for (const url of [
    '/page/*',
    '/request/*',
    '/moment/*',
    '/schedules',
    '/schedules/*',
    '/docs',
    '/openapi.json',
  ]) {
    upload.route({
      method: [...METHODS],
      url,
      schema: { hide: true },
      onRequest: async () => {
        throw new Fault('misdirected', [
          { field: 'host', message: `takes uploads only; send this request to ${publicUrl}` },
        ]);
      },
      handler: async () => undefined,
    });
  }
}
