/** `at once`, `after 2 minutes`. */
export function afterWords(minutes: number): string {
  if (minutes === 0) return 'at once';
  if (minutes < 1) return `after ${Math.round(minutes * 60)} seconds`;
  const shown = Number(minutes.toFixed(1));
  return `after ${shown} ${shown === 1 ? 'minute' : 'minutes'}`;
}
