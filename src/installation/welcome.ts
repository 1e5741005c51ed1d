import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const LINK_FILE = 'welcome-link';

/**
 * What to print so that somebody gets to the link that makes the first owner. A terminal shows it to the person in front of
 * it. Whatever else our output goes to keeps it and shows it to others, and whoever has the link owns the place: then it is
 * written into a file that only the user who runs the service may read.
 */
export async function welcome(link: string, dataDir: string, isTerminal: boolean): Promise<string> {
  if (isTerminal)
    return `\nNobody is here yet. Open this link to make the owner; it works once:\n\n  ${link}\n`;
  await forgetWelcome(dataDir);
  const path = join(dataDir, LINK_FILE);
  await writeFile(path, `${link}\n`, { mode: 0o600, flag: 'wx' });
  return `\nNobody is here yet. The link that makes the owner is in a file that only you may read; it works once:\n\n  cat ${path}\n`;
}

/** The link was used, or is written anew. */
export async function forgetWelcome(dataDir: string): Promise<void> {
  await rm(join(dataDir, LINK_FILE), { force: true });
}
