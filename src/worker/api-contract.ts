/** The state of the installation. Times are ISO 8601 in UTC, ages in seconds. */
export type SystemHealth = {
  version: string;
  /** The version of the time zone data, such as `2026c`. */
  time_zones: string;
  database: { version: string; bytes: number; embedded: boolean };
  nodes: {
    id: number;
    role: 'all' | 'api' | 'worker';
    host: string;
    pid: number;
    version: string;
    started_at: string;
    /** Its process is running and connected. */
    alive: boolean;
  }[];
  /** How late the oldest due work is; 0 when nothing is due. */
  queues: { steps: number; deliveries: number; notifications: number };
  /** Work still to do, of all organizations. */
  waiting: { steps: number; deliveries: number; notifications: number };
};
