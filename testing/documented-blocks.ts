import { readFileSync } from 'node:fs';

/**
 * The fenced blocks of a page below docs/, without the indentation of the list that they stand in. `language` chooses
 * those that are marked with it; an empty one those that are marked with none.
 */
export function documentedBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../docs/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)]
    .filter(([, , marked]) => marked === language)
    .map(([, indentation = '', , block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));
}

/** The one block that has this in it. */
export function documentedBlock(page: string, language: string, having: string): string {
  const [block, ...others] = documentedBlocks(page, language).filter((one) => one.includes(having));
  if (block && others.length === 0) return block;
  throw new Error(`docs/${page}.md has ${others.length ? 'several blocks' : 'no block'} with ${having}`);
}
