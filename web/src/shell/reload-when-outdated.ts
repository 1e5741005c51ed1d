const KEY = 'tocsin-loaded-anew';
const ONCE_IN_MS = 60_000;

/**
 * A tab that was opened before an upgrade asks for parts that are not there any more: it is loaded anew, once. What fails again within
 * a minute is not outdated but broken, and shows so.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < ONCE_IN_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
