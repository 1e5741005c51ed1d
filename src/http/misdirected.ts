import type { FastifyInstance } from 'fastify';
import { UPLOAD_PATH } from '../availability/contract.ts';
import { uploadSchema } from '../availability/upload-schema.ts';
import { Fault } from '../kit/fault.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Answers uploads to the base listener with the URL of the upload listener. The API description of the base listener
 * still lists the endpoint, with that host.
 */
export function misdirectUploads(base: FastifyInstance, uploadUrl: string): void {
  // Runs before the body is read, which may be a 10 MiB form that this listener does not parse.
  const onRequest = async () => {
    throw new Fault('misdirected', [
      { field: 'host', message: `does not accept uploads; send this request to ${uploadUrl}${UPLOAD_PATH}` },
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

/** Answers other API paths on the upload listener with the URL of the base listener. */
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
          { field: 'host', message: `accepts only uploads; send this request to ${publicUrl}` },
        ]);
      },
      handler: async () => undefined,
    });
  }
}
