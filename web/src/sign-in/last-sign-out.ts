const KEY = 'tocsin.signed-out';

/** Tells every tab of this browser that the person signs out here, unlike a session that ends elsewhere or by itself. */
export function noteSignOut(): void {
  localStorage.setItem(KEY, String(Date.now()));
}

/** When somebody last signed out in this browser; null if nobody has. */
export function lastSignOut(): string | null {
  return localStorage.getItem(KEY);
}
