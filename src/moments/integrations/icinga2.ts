import type { Adapter } from './adapter.ts';
import { hostCheckAdapter } from './host-check.ts';

export const icinga2: Adapter = hostCheckAdapter('Icinga');
