import { readFileSync } from 'node:fs';
import { Refusal } from '../refusal.ts';

const SHORTEST = 12;

/** The passphrase from a file, without the line break; null when no file is given. */
export function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return null;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`--passphrase-file names ${file}, which cannot be read (${code}); correct the path.`);
  }
  if (text.length >= SHORTEST) return text;
  throw new Refusal(
    `The passphrase in ${file} is shorter than ${SHORTEST} characters; make one with: openssl rand -base64 24`,
  );
}
