/** How the installation does. Times are ISO 8601 in UTC, ages in seconds. */
export type SystemHealth = {
  version: string;
  /** Of the time zone data that shifts are planned by, such as `2026c`. */
  time_zones: string;
  database: { version: string; bytes: number; embedded: boolean };
  nodes: {
    id: number;
    role: 'all' | 'api' | 'worker';
    host: string;
    pid: number;
    version: string;
    started_at: string;
    /** Its process lives and is connected. */
    alive: boolean;
  }[];
  /** How late the oldest due work is; 0 when nothing waits. */
  queues: { steps: number; deliveries: number; notifications: number };
  /** Still to do, of all organizations. */
  waiting: { steps: number; deliveries: number; notifications: number };
};
