/** The default number of weeks over which hours are averaged: four months, as in the European directive. */
export const USUAL_AVERAGE_WEEKS = 17;
/** A year, because plans read shifts that far back. */
export const MOST_AVERAGE_WEEKS = 52;
