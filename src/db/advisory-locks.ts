/**
 * The numbers of all advisory locks of the database, so that no two of them collide. Nodes of different releases run
 * side by side, so a released number is never changed or reused.
 */
export const LOCK = {
  /** First half of the lock that a living node holds; the second is its number. */
  node: 7303,
  /** Held while migrating, so that nodes that start at the same time wait for the first. */
  migration: 7303_0001,
  /** Held by the node that applies migrations while the service runs. */
  servingMigration: 7303_0002,
  /** First half; the second is the hash of a page that is paged again. */
  pageAgain: 7303_0003,
  /** First half; the second is the hash of a dedup key. */
  dedupKey: 7303_0005,
  /** First half; the second is the channel whose all-clears are claimed. */
  allClears: 7303_0006,
  /** Held while a file is applied: alone by the command line, shared by the API. */
  apply: 7303_0007,
  /** First half; the second is the hash of the organization to which a file is applied. */
  applyTo: 7303_0008,
  /** Keeps two nodes from raising a synthetic page at once. */
  syntheticPage: 7303_0009,
  /** First half; the second is the hash of a webhook. */
  webhook: 7304,
  /** First half; the second is the hash of a key of a webhook. */
  momentKey: 7304_0001,
} as const;
