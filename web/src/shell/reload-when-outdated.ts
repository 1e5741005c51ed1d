const KEY = 'tocsin-loaded-anew';
const ONCE_IN_MS = 60_000;

/**
 * Reloads a tab that was opened before an upgrade and loads code that no longer exists. If it fails again within a
 * minute, the code is not outdated but broken, and the error is shown.
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
