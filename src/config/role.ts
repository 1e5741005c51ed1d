/** The role of a process: everything, answering requests, or sending. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];
