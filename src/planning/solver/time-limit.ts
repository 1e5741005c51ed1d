/** For one plan. A shift that nobody can have as a whole may add a little. */
export const TIME_LIMIT_SECONDS = 10;
