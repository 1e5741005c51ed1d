/** The option with which `tocsin restore` accepts a backup that is not authenticated. Its name is a warning. */
export const UNVERIFIED_OPTION = '--dangerously-skip-verification';
