import type { FastifyInstance } from 'fastify';
import { uploadRoutes } from '../availability/routes.ts';
import type { BaseServices } from './base-listener.ts';
import { checkAnswers } from './check-answers.ts';
import { addSafeHeaders } from './headers.ts';
import { createListener } from './listener.ts';
import { misdirectTheRest } from './misdirected.ts';
import { observeAnswers } from './observe.ts';

/** Ten mebibytes take this long over a slow uplink. */
const SLOW_UPLINK_MS = 120_000;
const CSV_LIMIT = 10 * 1024 * 1024;

/** Bulk uploads, on `UPLOAD_PORT`, so that large bodies never share a listener with pages. */
export async function createUploadListener(services: BaseServices): Promise<FastifyInstance> {
  const { config, log, metrics } = services;
  const upload = await createListener({
    config,
    log,
    bodyLimit: CSV_LIMIT,
    names: config,
    requestTimeoutMs: SLOW_UPLINK_MS,
  });
  observeAnswers(upload, metrics);
  if (services.checkAnswer) checkAnswers(upload, services.checkAnswer);
  addSafeHeaders(upload, config.uploadUrl);
  upload.register(async (routes) => {
    uploadRoutes(routes, services);
    misdirectTheRest(routes, config.publicUrl);
  });
  return upload;
}
