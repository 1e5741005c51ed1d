import { createHashKey } from './key.ts';
import type { Managing } from './manage.ts';
import { hasKey } from './store.ts';

/** Whether a source has this key now. */
export async function isStoredKey(
  { tx, sealing }: Omit<Managing, 'at'>,
  sourceId: string,
  key: string,
): Promise<boolean> {
  const hash = await createHashKey(tx, sealing)(key);
  return hash !== null && (await hasKey(tx, sourceId, hash));
}
