/** Over how many weeks hours are averaged unless a schedule says so: four months, as in the European directive. */
export const USUAL_AVERAGE_WEEKS = 17;
/** A year, which is how far back plans read shifts. */
export const MOST_AVERAGE_WEEKS = 52;
