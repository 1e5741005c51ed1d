import { readFileSync } from 'node:fs';

/**
 * The fenced code blocks of a page in docs/, without the indentation of lists. Only blocks of `language` are returned;
 * an empty `language` means blocks without one.
 */
export function documentedBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../docs/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)]
    .filter(([, , marked]) => marked === language)
    .map(([, indentation = '', , block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));
}

/** The only block that contains this text. */
export function documentedBlock(page: string, language: string, having: string): string {
  const [block, ...others] = documentedBlocks(page, language).filter((one) => one.includes(having));
  if (block && others.length === 0) return block;
  throw new Error(`docs/${page}.md has ${others.length ? 'several blocks' : 'no block'} with ${having}`);
}
