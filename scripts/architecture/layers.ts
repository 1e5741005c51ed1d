/**
 * Folders (and single files) of src, the lowest first. Whatever stands further down the list may import what stands
 * above it; those of one line know nothing of each other. ARCHITECTURE.md draws this.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['kit'],
  ['db'],
  // Rooms.
  ['people', 'problems'],
  ['notices', 'keys'],
  ['sessions', 'requests'],
  ['calendars', 'moments'],
  ['availability', 'optimizer'],
  ['schedules', 'webhooks'],
  ['covers'],
  ['planning'],
  ['pages'],
  ['notifications'],
  ['reports'],
  // What surrounds them.
  ['config'],
  ['installation'],
  ['worker'],
  ['http'],
  ['app'],
  ['serve'],
  ['cli'],
  ['main'],
];

const ROOMS = LAYERS.slice(
  2,
  LAYERS.findIndex((layer) => layer.includes('config')),
).flat();

/** The part of src that a file belongs to: `src/pages/store.ts` → `pages`, `src/app.ts` → `app`. */
export function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

export function layerOf(part: string): number {
  return LAYERS.findIndex((layer) => layer.includes(part));
}

export function isRoom(part: string): boolean {
  return ROOMS.includes(part);
}
