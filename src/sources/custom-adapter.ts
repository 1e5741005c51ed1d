import { sentences } from '../kit/detail-contract.ts';
import { momentEvent } from '../moments/event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  USUAL_BODY_LIMIT,
} from '../moments/integrations/adapter.ts';
import { custom } from '../moments/integrations/custom.ts';
import { priorityOfSeverity } from '../moments/integrations/severity.ts';
import type { SourceAction, SourceEvent } from './contract.ts';
import { readCustomPage } from './custom-body.ts';

/** Our own page form (page sources, section 2). Its calls are signed and numbered like those of our moment form. */
export const customPage: Adapter = { ...custom, bodyLimit: USUAL_BODY_LIMIT, read: readPage };

const ACTIONS = {
  trigger: 'open',
  acknowledge: 'acknowledge',
  unacknowledge: 'unacknowledge',
  resolve: 'resolve',
} as const satisfies Record<SourceAction, string>;

function readPage(input: AdapterInput): AdapterResult {
  const reading = readCustomPage(input);
  if ('problems' in reading) return { error: sentences(reading.problems) };
  return { events: [momentEvent(asMoment(reading.event), input.receivedAt)] };
}

function asMoment(event: SourceEvent) {
  const { action, title, text, urgency, priority, ...same } = event;
  return {
    ...same,
    action: ACTIONS[action],
    name: title,
    type: 'alert' as const,
    priority: urgency ?? priority ?? priorityOfSeverity(event.severity) ?? 'medium',
    description: text === title ? null : text,
    bare: title === '',
    urgency,
  };
}
