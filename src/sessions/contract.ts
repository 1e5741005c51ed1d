/** Where a one-time sign-in link leads. */
export function signInPath(token: string): string {
  return `/sign-in/${token}`;
}
