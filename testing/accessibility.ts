import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };

/** What would keep people from using this page, by the rules of WCAG 2.2 AA and good practice; one line each. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // What holds need not be described; that is up to a third of the work.
  const violations = await within(
    page.evaluate<Violation[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    ),
    'axe',
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
