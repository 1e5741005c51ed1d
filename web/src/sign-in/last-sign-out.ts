const KEY = 'tocsin.signed-out';
const NEVER = 'never';

/** Tells every tab of this browser that the person signs out here, unlike a session that ends elsewhere or by itself. */
export function noteSignOut(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // A full storage can still forget. Without storage, no tab keeps anything.
    tryToForget();
  }
}

function tryToForget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {}
}

/** When somebody last signed out in this browser, as a text to compare; null if the browser cannot remember that. */
export function lastSignOut(): string | null {
  try {
    if (localStorage.getItem(KEY) === null) localStorage.setItem(KEY, NEVER);
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
