import type { FastifyInstance } from 'fastify';

/** An answer in JSON before it is written, and the schema that its route declares for its status, if any. */
export type AnswerSeen = {
  method: string;
  route: string;
  status: number;
  schema: object | undefined;
  body: unknown;
};
export type CheckAnswer = (answer: AnswerSeen) => void;

/** Passes every answer of a listener to a check of the tests, which throws if the answer is wrong. */
export function checkAnswers(listener: FastifyInstance, check: CheckAnswer): void {
  listener.addHook('preSerialization', async (request, reply, body) => {
    const { url: route = request.url, schema } = request.routeOptions;
    const schemas = (schema?.response ?? {}) as Record<string, object | undefined>;
    const status = reply.statusCode;
    check({ method: request.method, route, status, schema: schemas[status], body });
    return body;
  });
}
