/**
 * The token behind the # of a link. It is never sent with a request for a page, and leaves the address at once, so that
 * nobody reads it off the screen or finds it in the history.
 */
export function takeToken(): string {
  const { hash, pathname } = window.location;
  const token = hash.slice(1);
  if (token) {
    window.history.replaceState(window.history.state, '', pathname);
    window.sessionStorage.setItem(pathname, token);
  }
  // Kept for a reload of this tab.
  return token || (window.sessionStorage.getItem(pathname) ?? '');
}

export function forgetToken(): void {
  window.sessionStorage.removeItem(window.location.pathname);
}
