import type { Planner } from '../schedules/planner.ts';
import { fair } from './fair.ts';
import { rotation } from './rotation.ts';
import { sharing } from './sharing.ts';

export type Strategy = 'fair' | 'rotation';

/** The planners that assign shifts one by one. */
export const STRATEGIES: Record<Strategy, Planner> = { fair, rotation: sharing(rotation) };
