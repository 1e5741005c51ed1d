import type { Planner } from '../schedules/planner.ts';
import { fair } from './fair.ts';
import { rotation } from './rotation.ts';
import { sharing } from './sharing.ts';

export type Strategy = 'fair' | 'rotation';

/** How shifts are given away one after the other. */
export const STRATEGIES: Record<Strategy, Planner> = { fair, rotation: sharing(rotation) };
