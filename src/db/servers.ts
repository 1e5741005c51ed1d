/** First half of the advisory lock that a living node holds; the second is its number. */
export const NODE_LOCK = 7303;

/** `application_name` of the connection that each running server holds. */
export const NODE_APPLICATION = 'tocsin node';

/** Selects one row for each server that runs on this database. */
export const RUNNING_SERVERS = `select pid from pg_stat_activity where application_name = '${NODE_APPLICATION}' and datname = current_database()`;
