import { sha256 } from '../../kit/sealing.ts';
import { PARTS_LIMIT, type Part, type Parts } from '../parts.ts';
import { type Alert, type AlertGroup, textEntries } from './alert-group.ts';

/** The alerts of a group with their starts; null if some are left out or there are too many. */
export function groupParts({ all, firing, truncated }: AlertGroup): Parts | null {
  if (truncated > 0 || all.length > PARTS_LIMIT) return null;
  const parts: Record<string, Part> = {};
  for (const alert of all) {
    const part = partOf(alert, firing);
    const name = partName(alert);
    const before = parts[name];
    if (part && (!before || part.at >= before.at)) parts[name] = part;
  }
  return parts;
}

function partOf({ firing, startsAt, endsAt }: Alert, groupFires: boolean): Part | null {
  if (!startsAt) return null;
  const began = startsAt.epochMilliseconds;
  if (firing && groupFires) return { is: 'firing', at: began };
  return { is: 'ended', at: Math.max(began, endsAt?.epochMilliseconds ?? began) };
}

/** The sender's own fingerprint; without one, the labels. */
function partName({ fingerprint, labels }: Alert): string {
  const text = fingerprint ?? JSON.stringify(textEntries(labels).sort());
  return sha256(text).toString('hex', 0, 6);
}
