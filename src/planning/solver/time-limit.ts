/** Time limit for one plan. Sharing a shift that nobody can take as a whole may add a little. */
export const TIME_LIMIT_SECONDS = 10;
