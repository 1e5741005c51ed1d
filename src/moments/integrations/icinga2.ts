import type { Adapter } from './adapter.ts';
import { hostCheckAdapter } from './host-check.ts';
import { readIcingaNotification } from './icinga-notifications.ts';

/** Icinga 2 by a script of ours, or Icinga Notifications by its own webhook channel. */
export const icinga2: Adapter = hostCheckAdapter('Icinga', readIcingaNotification);
