import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
/** The state of the installation. Times are ISO 8601 in UTC, ages in seconds. */
export const SystemHealth = Type.Object({
  version: Type.String(),
  time_zones: Type.String({ description: 'The version of the time zone data, such as `2026c`.' }),
  database: Type.Object({
    version: Type.String(),
    bytes: Type.Number(),
    embedded: Type.Boolean(),
  }),
  nodes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      role: Type.Enum(['all', 'api', 'worker'], { type: 'string' }),
      host: Type.String(),
      pid: Type.Number(),
      version: Type.String(),
      started_at: Type.String(TIME),
      alive: Type.Boolean({ description: 'Whether its process is running and connected.' }),
    }),
  ),
  queues: Type.Object(
    {
      steps: Type.Number(),
      deliveries: Type.Number(),
      notifications: Type.Number(),
    },
    { description: 'How late the oldest due work is; 0 when nothing is due.' },
  ),
  waiting: Type.Object(
    {
      steps: Type.Number(),
      deliveries: Type.Number(),
      notifications: Type.Number(),
    },
    { description: 'The work of all organizations that is still to do.' },
  ),
});
export type SystemHealth = Static<typeof SystemHealth>;

export const systemApi = {
  show: endpoint('GET /api/system', {
    summary: 'Show queues, nodes and the database',
    response: SystemHealth,
  }),
};
