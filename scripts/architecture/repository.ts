import type { Rule } from './rules.ts';

/** Home and working directories of individual machines. */
const MACHINE_PATH = /(?<![\w.~/-])\/(home|Users|root|work|workspaces?)\/[\w.-]+/;

/** No file contains a path of the machine that it was written on. `root` is where the repository is now. */
export function machinePaths(root: string): Rule {
  return (files) =>
    files.flatMap(({ path, text }) => {
      const named = text.includes(root) ? root : text.match(MACHINE_PATH)?.[0];
      return named
        ? [`${path} names ${named}, a path of one machine; write it from the repository's root`]
        : [];
    });
}

/** No file contains the address of a package registry, which may be private to one machine. */
export const registries: Rule = (files) =>
  files
    .filter(({ path }) => /(^|\/)(package-lock\.json|\.npmrc)$/.test(path))
    .flatMap(({ path, text }) => {
      const [named] = text.matchAll(/"resolved": "(https?:[^"]+)"|^\S*registry\s*=\s*(\S+)/gm);
      return named ? [`${path} names ${named[1] ?? named[2]}; leave out where packages come from`] : [];
    });

/** Links in documents lead to existing files. `exists` gets a path from the root. */
export function links(exists: (path: string) => boolean): Rule {
  return (files) =>
    files
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, target = '']) => target.split('#')[0] ?? '')
          .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
          .filter((target) => !exists(resolve(path, target)))
          .map((target) => `${path} links to ${target}, which does not exist; correct the link`),
      );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** A path that leads out of the repository stays `../…`, so no file is found for it. */
function resolve(from: string, target: string): string {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
