import { readFile } from 'node:fs/promises';

let compiling: Promise<WebAssembly.Module> | null = null;

/**
 * The compiled HiGHS of this process. Threads that get it share its machine code, including what V8 optimized for an earlier
 * thread; otherwise each one would compile it again, which takes more processor time than most plans.
 */
export async function compiledHighs(): Promise<WebAssembly.Module> {
  compiling ??= compile();
  try {
    return await compiling;
  } catch (error) {
    compiling = null;
    throw error;
  }
}

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(import.meta.resolve('highs/runtime'))));
}
