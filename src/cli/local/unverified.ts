/** What lets `tocsin restore` take a backup that nothing vouches for; its name says what whoever types it does. */
export const UNVERIFIED_OPTION = '--dangerously-skip-verification';
