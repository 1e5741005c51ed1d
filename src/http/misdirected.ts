import type { FastifyInstance } from 'fastify';
import { UPLOAD_PATH } from '../availability/contract.ts';
import { Fault } from '../kit/fault.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The base listener answers the path of uploads with where it is to be found: they have a host of their own. */
export function misdirectUploads(base: FastifyInstance, uploadUrl: string): void {
  base.route({
    method: [...METHODS],
    url: UPLOAD_PATH,
    schema: { hide: true },
    // Before the body is read: it may be 10 MiB of a form that this listener does not parse.
    onRequest: async () => {
      throw new Fault('misdirected', [
        { field: 'host', message: `does not take uploads; send this request to ${uploadUrl}${UPLOAD_PATH}` },
      ]);
    },
    handler: async () => undefined,
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
