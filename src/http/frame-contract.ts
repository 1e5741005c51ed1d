/** What is between them in the document of the dashboard is the frame that is drawn before the scripts are there. */
export const FRAME_START = '<!--frame-->';
export const FRAME_END = '<!--/frame-->';

/** Paths of links for people who are not signed in or are signed in as somebody else: their views have no frame. */
export const OUTSIDE: readonly string[] = ['/welcome', '/invitation', '/new-password'];
