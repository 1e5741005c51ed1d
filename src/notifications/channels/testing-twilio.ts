import { type FakeTwilio, failure } from '../../../testing/fakes/fake-twilio.ts';
import type { Answer } from '../../../testing/fakes/scripted-server.ts';
import type { Situation } from './channel.contract.ts';

/** The contract's situations as Twilio shows them, for SMS and calls alike. */
const ANSWERS: Partial<Record<Situation, Answer>> = {
  'refused for good': failure(400, 21211, "The 'To' number +1 is not a valid phone number."),
  'refused for now': { ...failure(429, 20429, 'Too Many Requests'), headers: { 'retry-after': '7' } },
  'slow but in time': { delayMs: 100 },
  hanging: 'hang',
  'reset mid-answer': 'cut',
  'malformed answer': { status: 201, body: '<html>fine</html>' },
  'dripping answer': 'drip',
  'endless answer': 'endless',
  'wrong credentials': failure(401, 20003, 'Authenticate'),
};

export function arrangeTwilio(
  twilio: FakeTwilio,
  settings: { apiUrl: string },
  goneUrl: string,
  situation: Situation,
) {
  settings.apiUrl = situation === 'connection refused' ? goneUrl : twilio.settings.apiUrl;
  const answer = ANSWERS[situation];
  if (answer) twilio.script(answer);
}
