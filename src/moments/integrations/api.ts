import { sentences } from '../../kit/detail-contract.ts';
import { formEvent } from '../event.ts';
import { readApiMoment } from '../form.ts';
import { type Adapter, USUAL_BODY_LIMIT } from './adapter.ts';

/** The API form. It has no URL of its own: the Authorization header makes a call to `/moment/<token>` one. */
export const api: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read({ body, receivedAt }) {
    const reading = readApiMoment(body);
    if ('problems' in reading) return { error: sentences(reading.problems) };
    const { name, type, description, priority } = reading.moment;
    return { events: [formEvent({ name, type, description, priority }, receivedAt)] };
  },
};
