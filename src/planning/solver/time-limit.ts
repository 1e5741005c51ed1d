/** The time limit of one plan. Sharing a shift that nobody can take as a whole may take a little longer. */
export const TIME_LIMIT_SECONDS = 10;
