import { escapeHtml, plainPage } from '../kit/plain-page.ts';
import { locale, t, tIn } from '../language/contract.ts';
import type { PageState } from '../pages/contract.ts';
import { inWords, titleText } from '../pages/own-texts-contract.ts';
import type { PageSummary } from './page-summary.ts';

export function acknowledgedText(): string {
  return t('Acknowledged: nobody else will be notified.');
}

/**
 * The page of the link before its button is pressed. `answer` names the answer, so that repeats act once.
 * `isWaitedFor`: the page still notifies this person. The button has no focus, so that a person who is typing does not
 * press it.
 */
export function acknowledgeView(summary: PageSummary, answer: string, isWaitedFor: boolean): string {
  const page = inWords(summary);
  const button = isWaitedFor
    ? `<form method="post"><input type="hidden" name="answer" value="${escapeHtml(answer)}"><button type="submit">${escapeHtml(t('Acknowledge'))}</button></form>`
    : '';
  const state = isWaitedFor ? `<p class="state">${escapeHtml(waitingText(page))}</p>` : stateLine(page);
  return plainPage(
    page.title,
    `${state}<h1>${escapeHtml(page.title)}</h1>${button}<p class="muted">${facts(page)}</p><div class="card">${escapeHtml(page.text)}</div>`,
    '',
    locale(),
  );
}

/** The page of the link after the button was pressed: the result at that time. */
export function acknowledgeOutcomeView(
  page: PageSummary,
  reply: { message: string; state: PageState },
): string {
  const title = titleText(page.title);
  return plainPage(
    title,
    `${stateLine(reply)}<h1>${escapeHtml(title)}</h1><p>${escapeHtml(reply.message)}</p><p class="muted">${facts(page)}</p>`,
    '',
    locale(),
  );
}

export function outcomeSentence(page: PageSummary): string {
  if (page.state === 'acknowledged')
    return page.acknowledgedBy
      ? t('{who} had already acknowledged it.', { who: page.acknowledgedBy })
      : t('Somebody had already acknowledged it.');
  if (page.state === 'resolved') return t('The page was already resolved.');
  if (page.state === 'expired')
    return t(
      'The page expired before you answered. Your answer is recorded in the timeline; resolve the page in the dashboard.',
    );
  return t('The page is still open.');
}

function stateLine(page: { state: PageState }): string {
  const calm = page.state === 'acknowledged' || page.state === 'resolved' ? ' calm' : '';
  return `<p class="state${calm}">${escapeHtml(stateText(page.state))}</p>`;
}

function stateText(state: PageState): string {
  return {
    notifying: () => tIn('the state of a page, alone', 'Notifying'),
    acknowledged: () => tIn('the state of a page, alone', 'Acknowledged'),
    resolved: () => tIn('the state of a page, alone', 'Resolved'),
    expired: () => tIn('the state of a page, alone', 'Expired'),
  }[state]();
}

function waitingText({ urgency }: PageSummary): string {
  return {
    high: () => t('high urgency, waiting for an answer'),
    medium: () => t('medium urgency, waiting for an answer'),
    low: () => t('low urgency, waiting for an answer'),
  }[urgency]();
}

function facts(page: PageSummary): string {
  const parts = [
    page.team && t('Team {team}', { team: page.team }),
    t('raised {when}', { when: page.createdAt.toString({ smallestUnit: 'second' }) }),
  ];
  const link = page.sourceUrl
    ? ` · <a href="${escapeHtml(page.sourceUrl)}" rel="noopener noreferrer">${escapeHtml(tIn('where the page comes from', 'source'))}</a>`
    : '';
  return escapeHtml(parts.filter(Boolean).join(' · ')) + link;
}
