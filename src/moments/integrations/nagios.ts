import type { Adapter } from './adapter.ts';
import { hostCheckAdapter } from './host-check.ts';

/** Nagios 4 and Naemon. */
export const nagios: Adapter = hostCheckAdapter('Nagios');
