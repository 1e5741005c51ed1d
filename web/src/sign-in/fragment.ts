/**
 * Reads the token from the fragment of a link. Browsers never send fragments to servers. The token is removed from the
 * URL at once, so that nobody can read it on the screen or find it in the history.
 */
export function takeToken(): string {
  const { hash, pathname } = window.location;
  const token = hash.slice(1);
  if (token) {
    window.history.replaceState(window.history.state, '', pathname);
    window.sessionStorage.setItem(pathname, token);
  }
  // Kept in session storage, so that this tab can be reloaded.
  return token || (window.sessionStorage.getItem(pathname) ?? '');
}

export function forgetToken(): void {
  window.sessionStorage.removeItem(window.location.pathname);
}
