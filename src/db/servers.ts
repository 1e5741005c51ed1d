/** Of the connection that a server holds as long as it runs. */
export const NODE_APPLICATION = 'tocsin node';

/** Has a row for each server that runs on this database. */
export const RUNNING_SERVERS = `select pid from pg_stat_activity where application_name = '${NODE_APPLICATION}' and datname = current_database()`;
