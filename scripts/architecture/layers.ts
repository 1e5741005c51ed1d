/**
 * Folders and files of src from the lowest layer to the highest. Each may import from the layers above it in this list,
 * but not from others on its own line. ARCHITECTURE.md shows a diagram.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['language'],
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
  ['sources'],
  ['reports', 'handoffs', 'views'],
  ['pay'],
  ['apply'],
  // Everything around the rooms.
  ['config'],
  ['installation'],
  ['worker'],
  ['lifeboat'],
  ['http'],
  ['app', 'waiting'],
  ['serve'],
  ['cli'],
  ['main'],
];

const ROOMS = LAYERS.slice(
  3,
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
