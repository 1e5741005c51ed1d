import { FIRST_ANSWERS_ID, type FirstAnswers } from '../../../src/http/first-answers-contract.ts';
import { type AnswerOf, type Endpoint, type GivenUrl, urlOf } from '../../../src/kit/endpoint-contract.ts';
import { heardTime } from '../kit/clock.ts';
import { shownLanguage } from '../language/t.ts';

/** When the document was received, by the clock of this browser, in epoch milliseconds. */
const receivedAt = Date.now() - performance.now() + (navigation()?.responseEnd ?? 0);
const answers = read();

/**
 * The initial data of a query, if the document came with the answer. It is used once, because a query that is made again
 * much later must not show it.
 */
export function firstAnswer<One extends Endpoint>(one: One, ...[input]: GivenUrl<One>) {
  const url = urlOf(one, ...([input] as GivenUrl<One>));
  return {
    initialData: () => {
      const answer = answers.get(url);
      answers.delete(url);
      return answer as AnswerOf<One> | undefined;
    },
    initialDataUpdatedAt: receivedAt,
  };
}

/** Forgets the answers that were not used: they may be those of another person by now. */
export function forgetFirstAnswers(): void {
  answers.clear();
}

function read(): Map<string, unknown> {
  const text = document.getElementById(FIRST_ANSWERS_ID)?.textContent;
  if (!text) return new Map();
  const { at, language, answers } = JSON.parse(text) as FirstAnswers;
  heardTime(at, receivedAt);
  return new Map(language === shownLanguage ? Object.entries(answers) : []);
}

function navigation(): PerformanceNavigationTiming | undefined {
  return performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
}
