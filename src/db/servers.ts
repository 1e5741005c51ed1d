/** `application_name` of the connection that each running server holds. */
export const NODE_APPLICATION = 'tocsin node';

/** Selects one row for each server that runs on this database. */
export const RUNNING_SERVERS = `select pid from pg_stat_activity where application_name = '${NODE_APPLICATION}' and datname = current_database()`;
